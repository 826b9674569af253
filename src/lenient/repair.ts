import type { RepairMode } from "../json/options.js";
import { Scanner } from "../json/scan/scanner.js";
import { LenientScanner } from "./scanner.js";

/** The value to pass as `repair`: reads text that is nearly JSON (docs/reference/repair.md). */
export const repair: RepairMode = {
  lenient: true,
  createScanner: (context) => new LenientScanner(context),
};

/**
 * The value to pass as `repair` where only raw line breaks and tabs in strings are repaired. Unlike other mistakes they
 * have only one meaning, so the text is certain enough to run a tool with it.
 */
export const rawStrings: RepairMode = {
  lenient: false,
  createScanner: (context) =>
    new Scanner({
      ...context,
      onRawControl: (offset) => context.options.onRepair?.({ kind: "control_character", offset }),
    }),
};
