import type { AgentEvent } from "../../agent/events.js";
import type { ToolCallView } from "../../agent/views.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import { resetPatch } from "../../json/patch/reset-patch.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { jsonText } from "../../text/json-text.js";
import { textOf } from "../../messages/blocks/read.js";
import type { RunPart } from "./run-parts.js";
import { RunPartBuilder } from "./to-run-parts.js";

/** Where the steps and the response of a run are in the value that readers see. */
export interface RunPlace {
  /** The patch with which a run begins. */
  readonly start: () => JsonPatch;
  /** The pointer of the list of steps. */
  readonly steps: string;
  readonly response: string;
  /** A step without contents: a new object each time, because readers may apply patches in place. */
  readonly emptyStep: (index: number) => JsonObject;
  /** The length of the list before the run. Default: 0. */
  readonly count?: number;
  /** The ids of the calls in its last element. Default: none. */
  readonly calls?: readonly string[];
}

/** Returns a function from the events of a run to patches of its steps; `undefined` if an event changes nothing. */
export function runPatches(place: RunPlace): (event: AgentEvent) => JsonPatch | undefined {
  const patches = new RunPatches(place);
  const parts: RunPart[] = [];
  const builder = new RunPartBuilder((part) => parts.push(part), noId);
  return (event) => {
    builder.next(event);
    const patch = parts.splice(0).flatMap((part) => patches.changesOf(part));
    return patch.length === 0 ? undefined : patch;
  };
}

/** Patches do not name messages. */
const noId = (): string => "";

class RunPatches {
  private readonly place: RunPlace;
  private steps: number;
  /** The ids of the calls of the latest step. */
  private calls: string[];

  constructor(place: RunPlace) {
    const { count = 0, calls = [] } = place;
    this.place = place;
    this.steps = count;
    this.calls = [...calls];
  }

  changesOf(part: RunPart): JsonPatch {
    switch (part.type) {
      case "run_start":
        return this.place.start();
      case "step_start":
        return this.beginStep();
      case "answer_reset":
        this.calls = [];
        return [{ op: "replace", path: this.step, value: this.place.emptyStep(this.steps - 1) }];
      case "text_delta":
      case "reasoning_delta":
        return [{ op: "append", path: `${this.step}/${part.type.slice(0, -6)}`, value: part.delta }];
      case "structured_patch":
        return within(this.place.response, part.patch);
      case "structured_reset":
        return within(this.place.response, resetPatch);
      case "call_start":
        return this.beginCall(part);
      case "call_delta":
        return within(`${this.pathOf(part)}/args`, part.patch);
      case "tool_start":
        return this.inCall(part, { args: part.args, status: "running" });
      case "call_paused":
        return this.inCall(part, { status: "paused" });
      case "tool_progress":
        return this.inCall(part, { progress: asJson(part.value) });
      case "call_result": {
        const status = part.failed ? "failed" : "done";
        return this.inCall(part, { status, progress: null, result: textOf(part.message) });
      }
      default:
        return [];
    }
  }

  private get step(): string {
    return `${this.place.steps}/${this.steps - 1}`;
  }

  private beginStep(): JsonPatch {
    this.steps++;
    this.calls = [];
    return [{ op: "add", path: `${this.place.steps}/-`, value: this.place.emptyStep(this.steps - 1) }];
  }

  private beginCall({ id, name }: CallRef): JsonPatch {
    this.calls.push(id);
    const value = { id, name, args: null, status: "called", progress: null, result: null };
    return [{ op: "add", path: `${this.step}/calls/-`, value }];
  }

  /** A resumed run begins with calls of a step that it has not shown. */
  private inCall(call: CallRef, changes: Partial<ToolCallView>): JsonPatch {
    const begun: JsonPatch = this.steps === 0 ? this.beginStep() : [];
    const known = this.calls.includes(call.id) ? [] : this.beginCall(call);
    const path = this.pathOf(call);
    const set = Object.entries(changes).map(
      ([key, value]) => ({ op: "replace", path: `${path}/${key}`, value }) as const,
    );
    return [...begun, ...known, ...set];
  }

  private pathOf({ id }: Pick<CallRef, "id">): string {
    return `${this.step}/calls/${this.calls.lastIndexOf(id)}`;
  }
}

interface CallRef {
  readonly id: string;
  readonly name: string;
}

/** A patch of a value, for the place of that value in a larger one. */
function within(place: string, patch: JsonPatch): JsonPatch {
  return patch.map((operation) => ({ ...operation, path: place + operation.path }));
}

/** A value that a tool reported; `null` if JSON cannot write it. */
function asJson(value: unknown): JsonValue {
  const { text, problem } = jsonText(value, { maxLength: 100_000 });
  return problem === undefined ? (JSON.parse(text) as JsonValue) : null;
}
