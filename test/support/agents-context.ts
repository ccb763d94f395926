import { planDelivery } from "../../src/instructions/delivery.ts";
import type { BundlePart } from "../../src/instructions/bundle.ts";

/** The texts of files as printed for a reader without a limit. */
export function renderAgentsContext(parts: readonly BundlePart[]): string {
  const files = parts.map(({ path, bytes, sizeBytes }) => {
    return { path, bytes, sizeBytes, due: bytes.length > 0 ? [[0, bytes.length] as const] : [] };
  });
  const room = { count: 1, max: Number.POSITIVE_INFINITY, measure: (text: string) => text.length };
  return planDelivery(files, { before: "", after: () => [""] }, room, "read")?.outputs[0]?.text ?? "";
}
