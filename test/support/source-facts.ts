import { SyntaxKind } from "typescript/unstable/ast";
import { createScanner } from "typescript/unstable/ast/scanner";

/** An import that exists at run time. */
export interface ValueImport {
  /** Undefined where it is computed. */
  readonly specifier: string | undefined;
  readonly dynamic: boolean;
  readonly line: number;
}

export interface SourceFacts {
  readonly imports: readonly ValueImport[];
  /** Where one of GLOBALS is used. */
  readonly globals: readonly { readonly name: string; readonly line: number }[];
  /** The lines that export a default. */
  readonly defaultExports: readonly number[];
}

/** If one of these comes before `from`, it is another kind of statement. */
const NOT_IN_A_CLAUSE: ReadonlySet<string> = new Set([";", "=", "(", ":", "<", "import", "export"]);
const GLOBALS: ReadonlySet<string> = new Set(["process", "Bun", "console"]);

/** What a module does that a rule of architecture may be about; comments, strings and types left out. */
export function factsOf(source: string): SourceFacts {
  const tokens = tokensOf(source);
  return {
    imports: tokens.flatMap((_, index) => valueImportAt(tokens, index) ?? []),
    globals: tokens.flatMap((token, index) => {
      const name = globalAt(tokens, index);
      return name === undefined ? [] : [{ name, line: token.line }];
    }),
    defaultExports: tokens.flatMap((token, index) => (exportsDefaultAt(tokens, index) ? [token.line] : [])),
  };
}

function valueImportAt(tokens: readonly Token[], index: number): ValueImport | undefined {
  const line = tokens[index]?.line ?? 0;
  const [before, word, next, afterNext] = textsFrom(tokens, index - 1, 4);
  if (isString(tokens[index]) || before === "." || before === "?.") return undefined;
  if ((word === "import" || word === "require") && next === "(") {
    if (before === "typeof") return undefined;
    const literal = isString(tokens[index + 2]) && [")", ","].includes(tokens[index + 3]?.text ?? "");
    return { specifier: literal ? afterNext : undefined, dynamic: true, line };
  }
  if (word !== "import" && word !== "export") return undefined;
  if (word === "import" && isString(tokens[index + 1])) return { specifier: next ?? "", dynamic: false, line };
  if (next === "type" && !["from", ",", "="].includes(afterNext ?? "")) return undefined;
  const specifier = specifierAfter(tokens, index + 1);
  return specifier === undefined ? undefined : { specifier, dynamic: false, line };
}

/** What follows `from`, if the names from `start` on are those of an import or a re-export. */
function specifierAfter(tokens: readonly Token[], start: number): string | undefined {
  for (let index = start; index < tokens.length; index++) {
    const text = tokens[index]?.text ?? "";
    const next = tokens[index + 1];
    if (text === "from" && isString(next)) return next?.text;
    if (NOT_IN_A_CLAUSE.has(text) || (text === "}" && next?.text !== "from")) return undefined;
  }
  return undefined;
}

function globalAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token === undefined || !GLOBALS.has(token.text)) return undefined;
  const [owner, before, , next, afterNext] = textsFrom(tokens, index - 2, 5);
  const ofGlobalThis = owner === "globalThis" && ["[", ".", "?."].includes(before ?? "");
  if (ofGlobalThis) return token.text;
  if (isString(token) || before === "." || before === "?.") return undefined;
  const isKey = next === ":" && ["{", ",", ";", "(", "readonly"].includes(before ?? "");
  const isDeclared = next === "(" || (next === "?" && afterNext === ":");
  return isKey || isDeclared ? undefined : token.text;
}

function exportsDefaultAt(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== "export" || isString(tokens[index])) return false;
  const next = tokens[index + 1]?.text;
  if (next === "default") return true;
  if (next === "*") return tokens[index + 2]?.text === "as" && tokens[index + 3]?.text === "default";
  if (next !== "{") return false;
  const end = tokens.findIndex(({ text }, position) => position > index && text === "}");
  return tokens.slice(index, end).some(({ text }, offset) => {
    return text === "default" && [",", "}"].includes(tokens[index + offset + 1]?.text ?? "");
  });
}

function textsFrom(tokens: readonly Token[], start: number, count: number): (string | undefined)[] {
  return Array.from({ length: count }, (_, offset) => tokens[start + offset]?.text);
}

interface Token {
  readonly kind: SyntaxKind;
  /** As written; for a string, its value. */
  readonly text: string;
  readonly line: number;
}

const STRINGS: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.StringLiteral, SyntaxKind.NoSubstitutionTemplateLiteral]);
/** After one of these a slash divides; after anything else it begins a regular expression. */
const ENDS_OPERAND: ReadonlySet<SyntaxKind> = new Set([
  ...STRINGS,
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
]);

const DOTS: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.DotToken, SyntaxKind.QuestionDotToken]);

/**
 * A TypeScript source without its comments and white space, as the compiler's own scanner sees it.
 * @error if a string, template or regular expression does not end, because then something was read wrongly
 */
function tokensOf(source: string): Token[] {
  const scanner = createScanner(true);
  scanner.setText(source);
  const tokens: Token[] = [];
  /** For each open brace, whether it is in a template, which continues after the closing brace. */
  const braces: boolean[] = [];
  let line = 1;
  let lineCountedTo = 0;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
      if (!endsOperand(tokens)) kind = scanner.reScanSlashToken();
    } else if (kind === SyntaxKind.CloseBraceToken && braces.pop() === true) {
      kind = scanner.reScanTemplateToken(false);
      if (kind === SyntaxKind.TemplateMiddle) braces.push(true);
    } else if (kind === SyntaxKind.OpenBraceToken || kind === SyntaxKind.TemplateHead) {
      braces.push(kind === SyntaxKind.TemplateHead);
    }
    line += source.slice(lineCountedTo, scanner.getTokenStart()).split("\n").length - 1;
    lineCountedTo = scanner.getTokenStart();
    if (scanner.isUnterminated()) throw new Error(`line ${line}: '${scanner.getTokenText().slice(0, 20)}' has no end`);
    tokens.push({ kind, text: STRINGS.has(kind) ? scanner.getTokenValue() : scanner.getTokenText(), line });
  }
  return tokens;
}

function isString(token: Token | undefined): boolean {
  return token !== undefined && STRINGS.has(token.kind);
}

function endsOperand(tokens: readonly Token[]): boolean {
  const [beforeLast, last] = [tokens.at(-2), tokens.at(-1)];
  return last !== undefined && (ENDS_OPERAND.has(last.kind) || (beforeLast !== undefined && DOTS.has(beforeLast.kind)));
}
