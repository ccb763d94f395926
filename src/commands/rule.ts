import { RULE_PAGES } from "../check/rule-pages.ts";
import { RULES } from "../check/rules.ts";
import { HELP_ARGS, OUTPUT_ARGS } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { didYouMean } from "../lib/words.ts";

/** @error not_found for an unknown rule */
export const command: Command = {
  meta: {
    name: "rule",
    description: "Print the page of a rule: what it finds, its default severity, examples; without RULE, list all.",
  },
  args: {
    rule: { type: "positional", required: false, description: "the rule to explain" },
    json: OUTPUT_ARGS.json,
    ...HELP_ARGS,
  },
  maxOperands: 1,
  run(world, { operands, flags }) {
    const [name] = operands;
    const isJson = flags["json"] === true;
    if (name === undefined) {
      const rules = RULES.map(({ id, severity, summary }) => ({ rule: id, severity, summary }));
      world.write(isJson ? jsonLine({ rules }) : listOf(rules));
      return "ok";
    }
    const found = RULES.find(({ id }) => id === name);
    if (found === undefined) {
      const ids = RULES.map(({ id }) => id);
      const hint = didYouMean(name, ids) || "; 'codelia rule' lists all";
      return { code: "not_found", message: `no rule '${visible(name)}'${hint}` };
    }
    const { id, severity, summary } = found;
    const page = RULE_PAGES[id];
    world.write(isJson ? jsonLine({ rule: id, severity, summary, page }) : page);
    return "ok";
  },
};

function listOf(
  rules: readonly { readonly rule: string; readonly severity: string; readonly summary: string }[],
): string {
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  return rules
    .map(({ rule, severity, summary }) => `${rule.padEnd(width)}  ${severity.padEnd(7)}  ${summary}\n`)
    .join("");
}
