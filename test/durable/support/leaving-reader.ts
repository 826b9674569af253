import type { JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import type { StreamLog } from "millrace/serve";
import { expect } from "vitest";

/** A reader that leaves after each event of a run and resumes from it. Returns the value at the end. */
export async function readLeaving(
  log: StreamLog,
  id: string,
  hasBegun: () => boolean,
): Promise<JsonValue | undefined> {
  await expect.poll(hasBegun).toBe(true);
  let value: JsonValue | undefined;
  let after: string | undefined;
  for (;;) {
    for await (const entry of log.read(id, after)) {
      if (entry.type !== "patch") return value;
      value = applyPatch(value, entry.patch);
      after = entry.id;
      break;
    }
  }
}
