import type { AgentEvent } from "../agent/events.js";
import { patchIn } from "../agent/answer/partials.js";
import type { JsonPatch } from "../json/patch/patch.js";
import type { JsonValue } from "../json/value.js";
import { textOf } from "../messages/blocks/read.js";
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
      if (event.type !== "text") return undefined;
      const op = fresh ? "replace" : "append";
      fresh = false;
      return [{ op, path: "", value: event.delta }];
    },
  };
}

/** The whole run. What it shows of a step is the same whether the step runs or is read from the journal. */
export function runView(): EventView {
  return new RunPatches();
}

class RunPatches implements EventView {
  private begun = false;
  private steps = 0;
  /** The ids of the calls of the latest step. */
  private calls: string[] = [];

  patchOf(event: AgentEvent): JsonPatch | undefined {
    const patch = this.changesOf(event);
    if (patch.length === 0 || this.begun) return patch.length === 0 ? undefined : patch;
    this.begun = true;
    return [{ op: "replace", path: "", value: { steps: [], response: null } }, ...patch];
  }

  private changesOf(event: AgentEvent): JsonPatch {
    switch (event.type) {
      case "step":
        return this.beginStep();
      case "text":
      case "reasoning":
        return [{ op: "append", path: `${this.step}/${event.type}`, value: event.delta }];
      case "structured_patch":
      case "structured_reset":
        return within("/response", patchIn(event) ?? []);
      case "tool_call":
        return this.beginCall(event);
      case "tool_args":
        return this.inCall(event, (call) => within(`${call}/args`, event.patch));
      case "tool_start":
        return this.inCall(event, (call) => [
          ...set(call, "args", event.args),
          ...set(call, "status", "running"),
        ]);
      case "tool_paused":
        return this.inCall(event, (call) => set(call, "status", "paused"));
      case "tool_progress":
        return this.inCall(event, (call) => set(call, "progress", asJson(event.value)));
      case "tool_result":
      case "tool_error":
        return this.inCall(event, (call) => [
          ...set(call, "status", event.type === "tool_result" ? "done" : "failed"),
          ...set(call, "progress", null),
          ...set(call, "result", textOf(event.message)),
        ]);
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
    return [{ op: "add", path: "/steps/-", value: { text: "", reasoning: "", calls: [] } }];
  }

  private beginCall({ id, name }: CallRef): JsonPatch {
    this.calls.push(id);
    const value = { id, name, args: null, status: "called", progress: null, result: null };
    return [{ op: "add", path: `${this.step}/calls/-`, value }];
  }

  /** A resumed run begins with calls of a step that it has not shown. */
  private inCall(call: CallRef, change: (path: string) => JsonPatch): JsonPatch {
    const begun: JsonPatch = this.steps === 0 ? this.beginStep() : [];
    const known = this.calls.includes(call.id) ? [] : this.beginCall(call);
    return [...begun, ...known, ...change(`${this.step}/calls/${this.calls.lastIndexOf(call.id)}`)];
  }
}

interface CallRef {
  readonly id: string;
  readonly name: string;
}

function set(call: string, key: keyof ToolCallView, value: JsonValue): JsonPatch {
  return [{ op: "replace", path: `${call}/${key}`, value }];
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
