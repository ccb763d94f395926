import { OUTPUT_ARGS, PLACE_ARGS, textFlag, usage } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { reportOn, renderReport } from "../report/report.ts";
import { inWorkspace, isForPeople } from "../workspace.ts";

/**
 * @effect with `--html` writes that file; otherwise only reads
 * @error  usage for a time that can't be understood, and if the page can't be written
 */
export const command: Command = {
  meta: {
    name: "report",
    description: "Show which instruction files and skills reached sessions, which were read, and what each costs.",
  },
  args: {
    since: {
      type: "string",
      valueHint: "TIME",
      description:
        "leave out what is older: 12h, 30d, 4w or a date like 2026-11-01; default 30d, after which evidence is removed",
    },
    html: { type: "string", valueHint: "FILE", description: "write an HTML page to FILE instead" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 0,
  run(world, invocation) {
    const { flags } = invocation;
    const asked = textFlag(flags["since"]) ?? "30d";
    const since = timeOf(asked, world.now());
    if (since === undefined) {
      return usage(`'--since' can't be '${asked}'; it must be like 12h, 30d, 4w or 2026-11-01`);
    }
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const report = await reportOn(world, workspace, since);
      const page = textFlag(flags["html"]);
      if (page !== undefined) {
        const { writeReportPage } = await import("../report/page/report-page.ts");
        return writeReportPage(world, report, page);
      }
      if (flags["json"] === true) world.write(jsonLine(report));
      else if (isForPeople(world, invocation)) {
        const { displayOf, paragraph } = await import("../cli/display.ts");
        const display = displayOf(world);
        const lines = renderReport(report, display.columns).replace(/\n$/, "").split("\n");
        world.write(lines.map((line) => (line === "" ? "\n" : paragraph(display, line))).join(""));
      } else world.write(renderReport(report));
      return "ok";
    });
  },
};

const HOUR_MS = 60 * 60 * 1000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

function timeOf(text: string, now: number): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  if (amount !== undefined && length !== undefined) return Math.max(0, now - Number(amount) * length);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
