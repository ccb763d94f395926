/** The parts of a zod schema that lead from one to the next. */
interface Parts {
  readonly shape?: Readonly<Record<string, unknown>>;
  /** Of a list. */
  readonly element?: unknown;
  /** Of a table whose keys are not fixed. */
  readonly valueType?: unknown;
  /** Of what is one of several. */
  readonly options?: readonly unknown[];
  readonly unwrap?: () => unknown;
}

/**
 * The keys that a schema knows at a path, for suggestions. Every item of a list is alike, and so is every value of a
 * table with free keys; where there are several forms, those of each.
 */
export function knownKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  const forms = schemasAt(schema, path).flatMap(formsOf);
  return [...new Set(forms.flatMap(({ shape }) => Object.keys(shape ?? {})))];
}

/** What a schema wants of the value at a path: more than one where there are several forms above it. */
export function schemasAt(schema: unknown, path: readonly PropertyKey[]): unknown[] {
  let schemas = [schema];
  for (const key of path) {
    schemas = schemas.flatMap(formsOf).flatMap((form) => below(form, key) ?? []);
  }
  return schemas;
}

function below({ shape, element, valueType }: Parts, key: PropertyKey): unknown {
  if (shape !== undefined) return Object.hasOwn(shape, key) ? shape[String(key)] : undefined;
  return typeof key === "number" ? element : valueType;
}

function formsOf(schema: unknown): Parts[] {
  const parts = schema as Parts | undefined;
  if (parts === undefined) return [];
  if (parts.options !== undefined) return parts.options.flatMap(formsOf);
  const isWhole = parts.shape !== undefined || parts.element !== undefined || parts.valueType !== undefined;
  return isWhole || parts.unwrap === undefined ? [parts] : formsOf(parts.unwrap());
}
