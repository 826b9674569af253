import type { StructuredPatchEvent } from "../../agent/events.js";
import { expandInTurn } from "../../json/patch/expand-appends.js";
import { childPointer } from "../../tree/pointer.js";
import { isObject, type JsonValue } from "../../json/value.js";
import { isRetraction } from "../run/run-parts.js";
import type { AgUiEvent } from "./events.js";

/** The state of an AG-UI client. The structured response is the whole state or one member of it. */
export class AgUiState {
  private readonly initial: JsonValue;
  private readonly key: string | undefined;
  private value: JsonValue | undefined;
  /** Containers that were not passed on and may be mutated. */
  private own = new WeakSet();

  /**
   * @param initial the state of the client before the run
   * @param key the member that holds the response. `undefined`: the whole state
   */
  constructor(initial: JsonValue, key: string | undefined) {
    this.initial = initial;
    this.key = key;
  }

  /** Converts a change of the response: a delta, or a snapshot where the response starts or is abandoned. */
  change(event: StructuredPatchEvent): AgUiEvent {
    const { patch } = event;
    if (isRetraction(event)) {
      this.value = undefined;
      return { type: "STATE_SNAPSHOT", snapshot: this.initial };
    }
    const whole = patch.some(({ path }) => path === "" || isBannedPath(path));
    const { operations, value } = expandInTurn(patch, this.value, this.own);
    this.value = value;
    if (whole) {
      this.own = new WeakSet();
      return { type: "STATE_SNAPSHOT", snapshot: this.around(this.value ?? null) };
    }
    if (this.key === undefined) return { type: "STATE_DELTA", delta: operations };
    const root = childPointer("", this.key);
    return { type: "STATE_DELTA", delta: operations.map((it) => ({ ...it, path: root + it.path })) };
  }

  private around(value: JsonValue): JsonValue {
    if (this.key === undefined) return value;
    return { ...(isObject(this.initial) ? this.initial : undefined), [this.key]: value };
  }
}

/** AG-UI's client applies patches with fast-json-patch, which refuses these keys. A snapshot is sent instead. */
export function isBannedPath(path: string): boolean {
  return /\/(?:__proto__|constructor\/prototype)(?:\/|$)/.test(path);
}
