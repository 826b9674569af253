import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { StructuredPatchEvent, ToolArgsEvent } from "../events.js";

/** What is read while it grows. */
export interface Growing {
  snapshot(): JsonValue | undefined;
  /** What changed since the last call. */
  takePatch(): JsonPatch;
}

/**
 * `partial` is made when it is read: a snapshot copies the containers that are open, which a run whose events nobody looks
 * into, or that is sent on as patches, should not pay for with each token.
 */
export class StructuredPatch implements StructuredPatchEvent<JsonValue> {
  readonly type = "structured_patch";
  readonly patch: JsonPatch;
  readonly #response: Growing;

  constructor(patch: JsonPatch, response: Growing) {
    this.patch = patch;
    this.#response = response;
  }

  get partial(): JsonValue | undefined {
    return this.#response.snapshot();
  }
}

/** The response that was shown is given up. */
export const givenUp: StructuredPatchEvent<never> = {
  type: "structured_patch",
  patch: [{ op: "replace", path: "", value: null }],
  partial: undefined,
};

export class ToolArgs implements ToolArgsEvent {
  readonly type = "tool_args";
  readonly id: string;
  readonly name: string;
  readonly delta: string;
  readonly patch: JsonPatch;
  readonly #args: Growing;

  constructor(id: string, name: string, delta: string, patch: JsonPatch, args: Growing) {
    this.id = id;
    this.name = name;
    this.delta = delta;
    this.patch = patch;
    this.#args = args;
  }

  get partial(): JsonValue | undefined {
    return this.#args.snapshot();
  }
}
