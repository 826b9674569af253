import type { AgentEvent } from "../agent/events.js";
import { applyPatch } from "../json/patch/apply-patch.js";
import type { PatchEnd } from "../json/patch/patch-entry.js";
import { sameData } from "../json/patch/same-data.js";
import type { JsonPatch } from "../json/patch/patch.js";
import type { JsonValue } from "../json/value.js";
import type { NextLogWriter } from "../serve/log/stream-log.js";

/**
 * The value that readers of a run see: the structured response, or the text of an agent without one.
 *
 * While steps are read from the journal, nothing is written, because readers have seen them. When a step really runs, the
 * value of the recorded steps and that of the log are compared: a difference is what a step had shown that did not end,
 * or what a new log lacks. One patch corrects it. From then on each patch is written.
 */
export class ShownValue {
  private readonly writer: NextLogWriter;
  private readonly isText: boolean;
  private value: JsonValue | undefined;
  private current = false;
  /** The next text begins the answer of a new step. */
  private fresh = true;

  constructor(writer: NextLogWriter, isText: boolean) {
    this.writer = writer;
    this.isText = isText;
  }

  async add(event: AgentEvent): Promise<void> {
    const patch = this.patchOf(event);
    if (patch === undefined) return;
    if (this.current) await this.writer.append(patch);
    else this.value = applyPatch(this.value, patch);
  }

  /** From now on, steps really run. */
  async catchUp(): Promise<void> {
    if (this.current) return;
    this.current = true;
    const { value = null } = this;
    if (sameData(value, this.writer.value ?? null)) return;
    await this.writer.append([{ op: "replace", path: "", value }]);
  }

  async end(end: PatchEnd): Promise<void> {
    await this.catchUp();
    await this.writer.end(end);
  }

  private patchOf(event: AgentEvent): JsonPatch | undefined {
    if (!this.isText) return event.type === "structured_patch" ? event.patch : undefined;
    if (event.type === "step") this.fresh = true;
    if (event.type !== "text") return undefined;
    const op = this.fresh ? "replace" : "append";
    this.fresh = false;
    return [{ op, path: "", value: event.delta }];
  }
}
