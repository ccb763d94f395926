import { z } from "zod";

/** The target that is not a step: the end of the run. No step may have this name. */
const COMPLETE = "complete";

export const StepIdSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens");

/** A step, or the end of the run. */
export const TargetSchema = StepIdSchema.describe(`a step's name, or '${COMPLETE}'`);

/** The name of a field in a step's output; `$namespace` is set by the loader. */
export const FieldNameSchema = z
  .string()
  .max(64)
  .regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]*$/, "must be a letter or '_', then letters, digits, '_' and '-'");

export const PromptReferenceSchema = z
  .strictObject({
    path: z.string().min(1).max(1024).optional().describe("a file, from the definition's directory"),
    c3l: z
      .string()
      .regex(/^[a-z0-9-]+(\/[a-z0-9-]+){2,4}$/, "must be 'c1/c2/c3', with an edition and an adaptation if need be")
      .optional()
      .describe("c1/c2/c3[/edition[/adaptation]] below prompts/"),
  })
  .refine(
    ({ path, c3l }) => (path === undefined) !== (c3l === undefined),
    "must have 'path' or 'c3l', and one of them",
  );

export const OutputFieldSchema = z.strictObject({
  type: z.enum(["string", "number", "boolean", "object", "array"]),
  required: z.boolean().optional().describe("default true"),
  description: z.string().max(1000).optional(),
  default: z.unknown().optional().describe("of a field that is not required"),
});

/** The loader removes `$namespace`; a file may contain it. */
export const OutputFieldsSchema = z.record(FieldNameSchema, OutputFieldSchema).meta({
  properties: { $namespace: { type: "string", description: "the step's own name" } },
  propertyNames: { type: "string", maxLength: 64, pattern: "^(\\$namespace|(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]*)$" },
});

export const InputVariableSchema = z.union([
  z.boolean().describe("whether it is required"),
  z.strictObject({
    required: z.boolean().optional().describe("default true"),
    default: z.unknown().optional(),
    onMissing: z.enum(["error", "default", "skip"]).optional(),
  }),
]);

export const InputSpecSchema = z.strictObject({
  from_step: StepIdSchema.optional().describe("the step of the inputs that name none"),
  from_steps: z.array(StepIdSchema).min(1).max(32).optional().describe("the same for several steps"),
  variables: z.record(
    z
      .string()
      .max(129)
      .regex(/^([a-z0-9-]+\.)?[A-Za-z_][A-Za-z0-9_-]*$/, "must be 'step.field', or a field of 'from_step'"),
    InputVariableSchema,
  ),
});

export const OnFailSchema = z.strictObject({
  retry: z.number().int().nonnegative().max(100).optional().describe("further tries (default limits.maxRetries)"),
  then: TargetSchema.optional().describe("where to go when they are used up; the run fails without it"),
});

const WordsSchema = z.array(z.string().max(8192)).max(64);
const CommandSchema = WordsSchema.min(1).refine(([program]) => program !== "", "must begin with a program");

const transitions = { onPass: TargetSchema, onFail: OnFailSchema.optional() };

export const StepCheckSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("output"), ...transitions }),
  z.strictObject({ type: z.literal("command"), command: CommandSchema, ...transitions }),
  z.strictObject({ type: z.literal("prompt"), prompt: PromptReferenceSchema, ...transitions }),
]);

const StepSchema = z.strictObject({
  description: z.string().max(1000).optional(),
  prompt: PromptReferenceSchema,
  inputs: InputSpecSchema.optional(),
  output: OutputFieldsSchema.optional().describe("the fields that the answer must hold"),
  strict: z.boolean().optional().describe("whether a further field in the answer is an error (default false)"),
  check: StepCheckSchema.optional().describe("without it the step is repeated until the completion ends the run"),
  optional: z.boolean().optional().describe("skipped if no engine can answer it (default false)"),
});

const ITERATIONS = z.number().int().positive().max(1000);

const BudgetSchema = z.strictObject({ type: z.literal("iterationBudget"), max: ITERATIONS });
const KeywordSchema = z.strictObject({
  type: z.literal("keywordSignal"),
  keyword: z
    .string()
    .max(200)
    .regex(/^\S(.*\S)?$/, "must be one line, without space around it"),
});

export const CompletionSchema = z.discriminatedUnion("type", [
  BudgetSchema,
  KeywordSchema,
  z.strictObject({
    type: z.literal("composite"),
    mode: z.enum(["any", "all"]),
    get conditions(): z.ZodArray<typeof CompletionSchema> {
      return z.array(CompletionSchema).min(1).max(16);
    },
  }),
]);

export const LimitsSchema = z.strictObject({
  maxIterations: ITERATIONS.optional().describe("default 50"),
  maxRetries: z.number().int().nonnegative().max(100).optional().describe("of a query, and of a check (default 3)"),
  timeoutMs: z.number().int().positive().max(86_400_000).optional().describe("of one query or check (default 600000)"),
  maxSameAnswers: z
    .number()
    .int()
    .nonnegative()
    .max(1000)
    .refine((times) => times !== 1, "must be 0 or at least 2")
    .optional()
    .describe("the run fails when a step gets the same answer this many times in a row; 0 for no limit (default 5)"),
});

export const EngineNameSchema = z.enum(["claude", "codex", "command"]);

const AgentConnectionSchema = z.strictObject({
  engine: EngineNameSchema,
  fallback: z.array(EngineNameSchema).max(3).optional().describe("asked in this order if it can't answer"),
  command: CommandSchema.optional().describe("of the engine 'command': prompt on stdin, answer on stdout"),
  args: WordsSchema.optional().describe("further words for the engine's command line; not for those of the fallback"),
  allowedTools: z.array(z.string().min(1).max(200)).max(64).optional().describe("tools it may use without asking"),
});

/** More than anyone can follow; each is checked against the others. */
const MAX_STEPS = 100;

/** `agent.json`. */
export const AgentDefinitionSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z
    .string()
    .regex(/^\d{1,4}\.\d{1,4}$/, "must be like '1.0'")
    .optional()
    .describe("of the format (default 1.0)"),
  name: StepIdSchema,
  description: z.string().max(1000).optional(),
  entryStep: StepIdSchema,
  completion: CompletionSchema.optional(),
  limits: LimitsSchema.optional(),
  connection: AgentConnectionSchema.optional().describe("what a driven run asks"),
  originBranch: z.string().min(1).max(255).optional(),
  steps: z
    .record(StepIdSchema, StepSchema)
    .refine((steps) => Object.keys(steps).length <= MAX_STEPS, `must be ${MAX_STEPS} at most`),
});

export type PromptReference = z.infer<typeof PromptReferenceSchema>;
export type OutputField = z.infer<typeof OutputFieldSchema>;
export type OutputFields = z.infer<typeof OutputFieldsSchema>;
export type InputSpec = z.infer<typeof InputSpecSchema>;
export type Step = z.infer<typeof StepSchema>;
export type Completion = z.infer<typeof CompletionSchema>;
export type EngineName = z.infer<typeof EngineNameSchema>;
export type AgentDefinition = z.infer<typeof AgentDefinitionSchema>;
