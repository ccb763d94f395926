import { figuresByRound, figuresByRule, readRecord, type RuleFigures } from "./table.ts";

// npm run precision: how many of the findings in public repositories are faults, by rule. Ends with 1 when a rule that is on
// by default misses its target.

const record = readRecord();
const percent = (share: number | undefined) => (share === undefined ? "" : `${(100 * share).toFixed(0)} %`);
const row = ({ rule, findings, faults, precision, target, verdict }: RuleFigures) =>
  [
    rule.padEnd(34),
    String(findings).padStart(8),
    String(faults).padStart(7),
    percent(precision).padStart(10),
    percent(target).padStart(7),
    ` ${verdict}`,
  ].join(" ");

console.log("rule                               findings  faults  precision  target  verdict");
const figures = figuresByRule(record);
for (const each of figures) console.log(row(each));

console.log("\nset        repositories with findings  findings  faults  precision");
for (const set of ["tuned", "held out"] as const) {
  const judged = record.filter((each) => each.set === set);
  // What is off by default is judged, but not reported.
  const reported = figuresByRule(judged).filter(({ verdict }) => verdict !== "off by default");
  const findings = reported.reduce((total, each) => total + each.findings, 0);
  const faults = reported.reduce((total, each) => total + each.faults, 0);
  const repositories = new Set(judged.map(({ repository }) => repository)).size;
  console.log(
    [
      set.padEnd(10),
      String(repositories).padStart(26),
      String(findings).padStart(9),
      String(faults).padStart(7),
      percent(findings === 0 ? undefined : faults / findings).padStart(10),
    ].join(" "),
  );
}

console.log("\nblind round  repositories with findings  findings  faults  precision");
for (const { round, repositories, findings, faults } of figuresByRound(record)) {
  console.log(
    [
      String(round).padEnd(12),
      String(repositories).padStart(26),
      String(findings).padStart(9),
      String(faults).padStart(7),
      percent(faults / findings).padStart(10),
    ].join(" "),
  );
}
process.exitCode = figures.some(({ verdict }) => verdict === "MISSED") ? 1 : 0;
