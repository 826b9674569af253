import type { AgentEvent } from "../agent/events.js";
import { GrowingValue } from "../json/patch/growing-value.js";
import type { PatchEnd } from "../json/patch/patch-entry.js";
import { sameData } from "../json/patch/same-data.js";
import type { NextLogWriter } from "../serve/log/stream-log.js";
import type { EventView } from "./views.js";

/**
 * The value that readers of a run see.
 *
 * While steps are read from the journal, nothing is written, because readers have seen them. When a step really runs,
 * the value of the recorded steps and that of the log are compared: a difference is what a step had shown that did not
 * end, or what a new log lacks. One patch corrects it. From then on each patch is written.
 */
export class ShownValue {
  private readonly writer: NextLogWriter;
  private readonly view: EventView;
  private readonly value = new GrowingValue();
  private current = false;
  /** The calls whose tool really runs. */
  private readonly running = new Set<string>();

  constructor(writer: NextLogWriter, view: EventView) {
    this.writer = writer;
    this.view = view;
  }

  /** The tool of this call really runs. What it reports is new, but other tools of its message may be recorded. */
  toolBegins(id: string): void {
    this.running.add(id);
  }

  async add(event: AgentEvent): Promise<void> {
    if (!this.current && "id" in event && event.type !== "tool_start" && this.running.has(event.id)) {
      await this.catchUp();
    }
    const patch = this.view.patchOf(event);
    if (patch === undefined) return;
    if (this.current) await this.writer.append(patch);
    else this.value.apply(patch);
  }

  /** From now on, what happens is new. */
  async catchUp(): Promise<void> {
    if (this.current) return;
    this.current = true;
    const value = this.value.snapshot() ?? null;
    if (sameData(value, this.writer.value ?? null)) return;
    await this.writer.append([{ op: "replace", path: "", value }]);
  }

  async end(end: PatchEnd): Promise<void> {
    await this.catchUp();
    await this.writer.end(end);
  }
}
