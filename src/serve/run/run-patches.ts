import type { AgentEvent } from "../../agent/events.js";
import type { ToolCallView } from "../../agent/views.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import { resetPatch } from "../../json/patch/reset-patch.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { jsonText } from "../../text/json-text.js";
import { textOf } from "../../messages/blocks/read.js";
import type { RunPart } from "./run-parts.js";
import { runPartBuilder } from "./to-run-parts.js";

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
  const changesOf = changesAt(place);
  const parts: RunPart[] = [];
  const builder = runPartBuilder((part) => parts.push(part), noId);
  return (event) => {
    builder.next(event);
    const patch = parts.splice(0).flatMap(changesOf);
    return patch.length === 0 ? undefined : patch;
  };
}

/** Patches do not name messages. */
const noId = (): string => "";

function changesAt(place: RunPlace): (part: RunPart) => JsonPatch {
  const { start, steps, response, emptyStep } = place;
  let { count = 0 } = place;
  /** The ids of the calls of the latest step. */
  let calls = [...(place.calls ?? [])];
  const step = (): string => `${steps}/${count - 1}`;
  const pathOf = ({ id }: { readonly id: string }): string => `${step()}/calls/${calls.lastIndexOf(id)}`;

  const beginStep = (): JsonPatch => {
    count++;
    calls = [];
    return [{ op: "add", path: `${steps}/-`, value: emptyStep(count - 1) }];
  };
  const beginCall = ({ id, name }: CallRef): JsonPatch => {
    calls.push(id);
    const value = { id, name, args: null, status: "called", progress: null, result: null };
    return [{ op: "add", path: `${step()}/calls/-`, value }];
  };
  /** A resumed run begins with calls of a step that it has not shown. */
  const inCall = (call: CallRef, changes: Partial<ToolCallView>): JsonPatch => {
    const begun: JsonPatch = count === 0 ? beginStep() : [];
    const known = calls.includes(call.id) ? [] : beginCall(call);
    const set = Object.entries(changes).map(
      ([key, value]) => ({ op: "replace", path: `${pathOf(call)}/${key}`, value }) as const,
    );
    return [...begun, ...known, ...set];
  };

  return (part) => {
    switch (part.type) {
      case "run_start":
        return start();
      case "step_start":
        return beginStep();
      case "answer_reset":
        calls = [];
        return [{ op: "replace", path: step(), value: emptyStep(count - 1) }];
      case "text_delta":
      case "reasoning_delta":
        return [{ op: "append", path: `${step()}/${part.type.slice(0, -6)}`, value: part.delta }];
      case "structured_patch":
        return within(response, part.patch);
      case "structured_reset":
        return within(response, resetPatch);
      case "call_start":
        return beginCall(part);
      case "call_delta":
        return within(`${pathOf(part)}/args`, part.patch);
      case "tool_start":
        return inCall(part, { args: part.args, status: "running" });
      case "call_paused":
        return inCall(part, { status: "paused" });
      case "tool_progress":
        return inCall(part, { progress: asJson(part.value) });
      case "call_result": {
        const status = part.failed ? "failed" : "done";
        return inCall(part, { status, progress: null, result: textOf(part.message) });
      }
      default:
        return [];
    }
  };
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
