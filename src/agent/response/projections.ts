import type { JsonPatch } from "../../json/patch/patch.js";
import { stage } from "../../stream/core/stage.js";
import type { AgentEvent } from "../events.js";

/** The structured response as it grows. */
export function partialsOf<Partial>(
  events: AsyncIterable<AgentEvent<unknown, Partial>>,
): AsyncIterable<Partial> {
  return stage<AgentEvent<unknown, Partial>, Partial>((emit) => ({
    next: (event) => {
      if (event.type !== "structured_patch") return;
      const { partial } = event;
      if (partial !== undefined) emit(partial);
    },
  }))(events);
}

/** What changes it. */
export function patchesOf(events: AsyncIterable<AgentEvent>): AsyncIterable<JsonPatch> {
  return stage<AgentEvent, JsonPatch>((emit) => ({
    next: (event) => {
      if (event.type === "structured_patch") emit(event.patch);
    },
  }))(events);
}
