import type { InputSpec } from "../schema.ts";

/** One input, with everything that may be left out of a definition said. */
export interface Input {
  readonly step: string;
  readonly field: string;
  readonly fallback: { readonly value: unknown } | undefined;
  readonly onMissing: "error" | "default" | "skip";
  /** The key in `variables`. */
  readonly key: string;
}

/** A name without a step, and no `from_step` or `from_steps` that could say which. */
export interface StraySpec {
  readonly key: string;
}

/**
 * The inputs that a specification asks for. One that names no step is taken from `from_step`, and from each of
 * `from_steps`. Where it isn't said what happens to a missing one: an error for a required one, else its default, or
 * nothing.
 */
export function readInputs(spec: InputSpec | undefined): { inputs: Input[]; strays: StraySpec[] } {
  const inputs: Input[] = [];
  const strays: StraySpec[] = [];
  for (const [key, given] of Object.entries(spec?.variables ?? {})) {
    const variable = typeof given === "boolean" ? { required: given } : given;
    const fallback = "default" in variable ? { value: variable.default } : undefined;
    const isRequired = variable.required ?? true;
    const onMissing = variable.onMissing ?? (isRequired ? "error" : fallback === undefined ? "skip" : "default");
    const dot = key.indexOf(".");
    const field = key.slice(dot + 1);
    const steps = dot < 0 ? sourcesOf(spec) : [key.slice(0, dot)];
    if (steps.length === 0) strays.push({ key });
    for (const step of steps) inputs.push({ step, field, fallback, onMissing, key });
  }
  return { inputs, strays };
}

function sourcesOf(spec: InputSpec | undefined): string[] {
  return [...new Set([...(spec?.from_step === undefined ? [] : [spec.from_step]), ...(spec?.from_steps ?? [])])];
}
