import type { StructuredPatchEvent } from "../../agent/events.js";
import { patched } from "../../json/patch/apply-patch.js";
import { expandAppends } from "../../json/patch/expand-appends.js";
import { childPointer } from "../../tree/pointer.js";
import { isObject, type JsonValue } from "../../json/value.js";
import type { AgUiEvent } from "./events.js";

/** The state of an AG-UI client, which the structured response is, or is a member of. */
export class AgUiState {
  private readonly given: JsonValue;
  private readonly key: string | undefined;
  private value: JsonValue | undefined;
  /** What of the value was not handed out, and may be changed in place. */
  private own = new WeakSet();

  /**
   * @param given what the client has
   * @param key the member that the response is; `undefined`: it is all of the state
   */
  constructor(given: JsonValue, key: string | undefined) {
    this.given = given;
    this.key = key;
  }

  /** What a change of the response does to it: RFC 6902, or the whole where the response begins, or is given up. */
  change(event: StructuredPatchEvent): AgUiEvent {
    const { patch } = event;
    const [first] = patch;
    if (patch.length === 1 && first?.path === "" && first.value === null && event.partial === undefined) {
      this.value = undefined;
      return { type: "STATE_SNAPSHOT", snapshot: this.given };
    }
    const whole = patch.some(({ path }) => path === "" || isBanned(path));
    const operations = whole ? [] : expandAppends(patch, this.value);
    this.value = patched(this.value, patch, this.own);
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
    return { ...(isObject(this.given) ? this.given : undefined), [this.key]: value };
  }
}

/** AG-UI's client applies patches by fast-json-patch, which refuses these keys: they go as a whole. */
function isBanned(path: string): boolean {
  return /\/(?:__proto__|constructor\/prototype)(?:\/|$)/.test(path);
}
