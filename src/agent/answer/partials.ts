import type { JsonPatch } from "../../json/patch/patch.js";
import { GrowingValue } from "../../json/patch/growing-value.js";
import { resetPatch } from "../../json/patch/reset-patch.js";
import { SnapshotPace } from "../../json/snapshot-pace.js";
import type { JsonValue } from "../../json/value.js";
import type { CreateTransform } from "../../stream/core/transform.js";
import type { AgentEvent } from "../events.js";

/**
 * The transform of events to partial values of the structured response. It shows them at a pace at which all of them
 * together take linear time, and always at the end of an answer. A response that is reset is not shown any more.
 */
export const toPartials: CreateTransform<AgentEvent, JsonValue> = (emit) => {
  const value = new GrowingValue();
  const pace = new SnapshotPace();
  let changed = false;
  const show = (): void => {
    if (!changed) return;
    changed = false;
    const partial = value.snapshot();
    if (partial !== undefined) emit(partial);
  };
  return {
    next: (event) => {
      if (event.type === "message" || event.type === "structured") show();
      else if (event.type === "structured_reset") {
        changed = false;
        value.reset();
      } else if (event.type === "structured_patch") {
        changed = true;
        value.apply(event.patch);
        for (const operation of event.patch)
          pace.add(typeof operation.value === "string" ? operation.value.length : 1);
        if (pace.isDue(value.copiedMembers)) show();
      }
    },
    end: show,
  };
};

/** The change that an event makes to the value that readers of patches have. */
export function patchIn(event: AgentEvent): JsonPatch | undefined {
  if (event.type === "structured_reset") return resetPatch;
  return event.type === "structured_patch" ? event.patch : undefined;
}
