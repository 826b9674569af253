import type { AgentEvent } from "../agent/events.js";
import { patchIn } from "../agent/answer/partials.js";
import type { JsonPatch } from "../json/patch/patch.js";
import { resetPatch } from "../json/patch/reset-patch.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import { messageText } from "../serve/run/agent-messages.js";
import type { RunPart } from "../serve/run/run-parts.js";
import { RunPartBuilder } from "../serve/run/to-run-parts.js";
import { jsonText } from "../text/json-text.js";

/** Turns the events of a run into patches of the value that readers see. */
export interface EventView {
  patchOf(event: AgentEvent): JsonPatch | undefined;
}

/** The value of a run with `view: "run"`. It has the same form for each agent. */
export interface RunView {
  /** The model calls, with what the model wrote and the tools that it called. */
  readonly steps: readonly StepView[];
  /** The structured response so far; `null` before it begins. */
  readonly response: JsonValue;
}

/** A model call, as readers see it. */
export interface StepView {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCallView[];
}

/** A tool call, as readers see it. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  /** The arguments so far; `null` before they begin. */
  readonly args: JsonValue;
  /** `called`: the model writes the call, or the tool waits for its turn. */
  readonly status: "called" | "running" | "paused" | "done" | "failed";
  /** The latest progress that the tool reported; `null` without any, and after its end. */
  readonly progress: JsonValue;
  /** The text that the model gets; `null` before the end. */
  readonly result: string | null;
}

/** The structured response, or without a response format the text of the latest step. */
export function answerView(isText: boolean): EventView {
  let fresh = true;
  return {
    patchOf(event) {
      if (!isText) return patchIn(event);
      if (event.type === "step") fresh = true;
      if (event.type === "answer_reset") {
        fresh = true;
        return resetPatch;
      }
      if (event.type !== "text") return undefined;
      const op = fresh ? "replace" : "append";
      fresh = false;
      return [{ op, path: "", value: event.delta }];
    },
  };
}

/** The whole run. What it shows of a step is the same whether the step runs or is read from the journal. */
export function runView(): EventView {
  const patches = new RunPatches();
  const parts: RunPart[] = [];
  const builder = new RunPartBuilder((part) => parts.push(part), noId);
  return {
    patchOf(event) {
      builder.next(event);
      const patch = parts.splice(0).flatMap((part) => patches.changesOf(part));
      return patch.length === 0 ? undefined : patch;
    },
  };
}

/** Patches do not name messages. */
const noId = (): string => "";

class RunPatches {
  private steps = 0;
  /** The ids of the calls of the latest step. */
  private calls: string[] = [];

  changesOf(part: RunPart): JsonPatch {
    switch (part.type) {
      case "run_start":
        return [{ op: "replace", path: "", value: { steps: [], response: null } }];
      case "step_start":
        return this.beginStep();
      case "answer_reset":
        this.calls = [];
        return [{ op: "replace", path: this.step, value: emptyStep() }];
      case "text_delta":
      case "reasoning_delta":
        return [{ op: "append", path: `${this.step}/${part.type.slice(0, -6)}`, value: part.delta }];
      case "structured_patch":
        return within("/response", part.patch);
      case "structured_reset":
        return within("/response", resetPatch);
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
        return this.inCall(part, { status, progress: null, result: messageText(part.message) });
      }
      default:
        return [];
    }
  }

  private get step(): string {
    return `/steps/${this.steps - 1}`;
  }

  private beginStep(): JsonPatch {
    this.steps++;
    this.calls = [];
    return [{ op: "add", path: "/steps/-", value: emptyStep() }];
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

/** A new object each time, because readers may apply patches in place. */
function emptyStep(): JsonObject {
  return { text: "", reasoning: "", calls: [] };
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
