import type { SettingsHost } from "./settings/settings-host.ts";

/** Of a host of whom nothing more is known than where its hooks stand. */
export const NO_REMARKS: Pick<SettingsHost, "evidence" | "remarks"> = {
  evidence: () => ({ data: [], texts: [] }),
  remarks: () => [],
};
