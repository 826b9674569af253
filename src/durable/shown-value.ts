import type { AgentEvent } from "../agent/events.js";
import { GrowingValue } from "../json/patch/growing-value.js";
import type { PatchEnd } from "../json/patch/patch-entry.js";
import { sameData } from "../json/patch/same-data.js";
import type { NextLogWriter } from "../serve/log/stream-log.js";
import type { EventView } from "./views.js";

/** The value that readers of a run see. */
export interface ShownValue {
  /** The tool of this call really runs. What it reports is new, but other tools of its message may be recorded. */
  toolBegins(id: string): void;
  add(event: AgentEvent): Promise<void>;
  /** From now on, what happens is new. */
  catchUp(): Promise<void>;
  end(end: PatchEnd): Promise<void>;
}

/**
 * Shows a run in a log.
 *
 * While steps are read from the journal, nothing is written, because readers have seen them. When a step really runs,
 * the value of the recorded steps and that of the log are compared: a difference is what a step had shown that did not
 * end, or what a new log lacks. One patch corrects it. From then on each patch is written.
 */
export function shownValue(writer: NextLogWriter, view: EventView): ShownValue {
  const recorded = new GrowingValue();
  let current = false;
  /** The calls whose tool really runs. */
  const running = new Set<string>();
  const catchUp = async (): Promise<void> => {
    if (current) return;
    current = true;
    const value = recorded.snapshot() ?? null;
    if (!sameData(value, writer.value ?? null)) await writer.append([{ op: "replace", path: "", value }]);
  };
  return {
    toolBegins: (id) => running.add(id),
    async add(event) {
      if (!current && "id" in event && event.type !== "tool_start" && running.has(event.id)) await catchUp();
      const patch = view(event);
      if (patch === undefined) return;
      if (current) await writer.append(patch);
      else recorded.apply(patch);
    },
    catchUp,
    async end(end) {
      await catchUp();
      await writer.end(end);
    },
  };
}
