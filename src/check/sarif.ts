import manifest from "../../package.json" with { type: "json" };
import type { LocatedFinding } from "./findings.ts";
import { RULE_PAGES } from "./rule-pages.ts";
import type { Rule } from "./rules.ts";
import { sentenceOf } from "./formats.ts";
import { jsonLine } from "../lib/escape.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
/** GitHub's name for the root of a repository. */
const BASE_ID = "%SRCROOT%";
/** GitHub adds a fingerprint of its own under another name, computed from the line's text. */
const FINGERPRINT = "codeliaFinding/v1";

export interface SarifReport {
  readonly findings: readonly LocatedFinding[];
  /** All rules that were checked, so that a rule without findings differs from one that was not checked. */
  readonly rules: readonly Rule[];
  /** Absolute; the base of the findings' paths. */
  readonly base: string;
  /** Where the project is published. */
  readonly homepage?: string;
}

/** SARIF 2.1.0. */
export function renderFindingsSarif({ findings, rules, base, homepage = manifest.homepage }: SarifReport): string {
  const ruleIds = rules.map(({ id }) => id);
  const run = {
    tool: { driver: { name: "codelia", rules: rules.map((rule) => describe(rule, homepage)) } },
    invocations: [{ executionSuccessful: true }],
    originalUriBaseIds: { [BASE_ID]: { uri: directoryUri(base) } },
    columnKind: "utf16CodeUnits",
    results: findings.map((finding) => resultOf(finding, ruleIds.indexOf(finding.rule))),
  };
  return jsonLine({ $schema: SCHEMA, version: "2.1.0", runs: [run] });
}

function describe({ id, severity, summary, page }: Rule, homepage: string): object {
  return {
    id,
    // Without an owner the address leads nowhere.
    ...(homepage.includes("/OWNER/") ? {} : { helpUri: `${homepage}/blob/main/${page}` }),
    shortDescription: { text: summary },
    help: { text: RULE_PAGES[id], markdown: RULE_PAGES[id] },
    defaultConfiguration: { level: severity },
  };
}

function resultOf(finding: LocatedFinding, ruleIndex: number): object {
  const { rule, severity, line, column, fingerprint } = finding;
  const region = { startLine: line, startColumn: column };
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: asMessage(sentenceOf(finding)) },
    locations: [{ physicalLocation: { artifactLocation: artifactOf(finding), region } }],
    partialFingerprints: { [FINGERPRINT]: fingerprint },
  };
}

function artifactOf({ path, relativePath }: LocatedFinding): object {
  return relativePath === undefined ? { uri: fileUri(path) } : { uri: encodeWay(relativePath), uriBaseId: BASE_ID };
}

/** In a SARIF message, braces are placeholders and brackets links. */
function asMessage(text: string): string {
  return text
    .replaceAll("{", "{{")
    .replaceAll("}", "}}")
    .replaceAll(/[\\[\]]/g, String.raw`\$&`);
}

function directoryUri(path: string): string {
  const uri = fileUri(path);
  return uri.endsWith("/") ? uri : `${uri}/`;
}

function fileUri(path: string): string {
  const way = path.startsWith("/") ? path : `/${path.replaceAll("\\", "/")}`;
  // A drive letter keeps its colon.
  return `file://${encodeWay(way).replace(/^\/([A-Za-z])%3A(?=\/|$)/, "/$1:")}`;
}

/** Half a surrogate pair has no encoding. */
function encodeWay(way: string): string {
  const parts = way.replaceAll(/\p{Cs}/gu, "\uFFFD").split("/");
  return parts.map(encodeURIComponent).join("/");
}
