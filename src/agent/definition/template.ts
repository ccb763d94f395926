/** The files of a new definition, by their paths in its directory: it plans a task, does it, and checks the result. */
export function newDefinition(name: string): Readonly<Record<string, string>> {
  return {
    "agent.json": DEFINITION.replace("NAME", name),
    "prompts/check.md": CHECK,
    "prompts/plan.md": PLAN,
    "prompts/work.md": WORK,
  };
}

/** A template text, so that people can read and change it. */
const DEFINITION = `{
  "version": "1.0",
  "name": "NAME",
  "description": "Plans a task, does it, and checks the result.",
  "entryStep": "plan",
  "limits": { "maxIterations": 10 },
  "connection": { "engine": "claude", "fallback": ["codex"] },
  "steps": {
    "plan": {
      "prompt": { "path": "prompts/plan.md" },
      "output": {
        "plan": { "type": "array", "description": "what to do, in order, a sentence each" },
        "done": { "type": "string", "description": "how to tell that the task is done" }
      },
      "check": { "type": "output", "onPass": "work", "onFail": { "retry": 1 } }
    },
    "work": {
      "prompt": { "path": "prompts/work.md" },
      "inputs": { "from_step": "plan", "variables": { "plan": true, "done": true } },
      "output": { "summary": { "type": "string", "description": "what was done, and what was left" } },
      "check": {
        "type": "prompt",
        "prompt": { "path": "prompts/check.md" },
        "onPass": "complete",
        "onFail": { "retry": 2 }
      }
    }
  }
}
`;

const PLAN = `The task: {uv-task}

Read what it concerns, and change nothing yet. Plan it in a few sentences, and say how to tell that it is done.
`;

const WORK = `The task: {uv-task}

Follow this plan: {uv-plan_plan}

The task is done when this holds: {uv-plan_done}
`;

const CHECK = `The task was: {uv-task}

This was done: {uv-work_summary}

Look at the files and run what shows it: does this hold now? {uv-plan_done}
`;
