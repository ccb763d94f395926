import { SyntaxKind } from "typescript/unstable/ast";
import { createScanner } from "typescript/unstable/ast/scanner";

export interface Token {
  readonly kind: SyntaxKind;
  /** As written; of a string what it says. */
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
 * @error where a string, template or regular expression does not end: then it was read wrongly
 */
export function tokensOf(source: string): Token[] {
  const scanner = createScanner(true);
  scanner.setText(source);
  const tokens: Token[] = [];
  /** Per open brace: does it stand in a template, which goes on where the brace closes? */
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

export function isString(token: Token | undefined): boolean {
  return token !== undefined && STRINGS.has(token.kind);
}

function endsOperand(tokens: readonly Token[]): boolean {
  const [beforeLast, last] = [tokens.at(-2), tokens.at(-1)];
  return last !== undefined && (ENDS_OPERAND.has(last.kind) || (beforeLast !== undefined && DOTS.has(beforeLast.kind)));
}
