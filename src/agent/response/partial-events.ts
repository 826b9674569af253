import type { JsonPatch } from "../../json/patch/patch.js";
import { SnapshotPace } from "../../json/snapshot-pace.js";
import type { JsonValue } from "../../json/value.js";
import type { Step } from "../../stream/core/step.js";
import type { AgentEvent, StructuredPatchEvent, ToolArgsEvent } from "../events.js";

/** A value that is being parsed. */
export interface PartialValue {
  snapshot(): JsonValue | undefined;
  /** The live value, which is mutated. Reading it copies nothing. */
  readonly value: JsonValue | undefined;
  /** How many members `snapshot()` copies. */
  readonly openMembers: number;
  /** Returns the changes since the previous call. */
  takePatch(): JsonPatch;
}

/**
 * `partial` makes its snapshot when it is read. A snapshot copies all open containers, so consumers that read only the
 * patches do not pay for it with each token.
 */
export class StructuredPatch implements StructuredPatchEvent<JsonValue> {
  readonly type = "structured_patch";
  readonly patch: JsonPatch;
  readonly #response: Pick<PartialValue, "snapshot" | "openMembers">;

  constructor(patch: JsonPatch, response: Pick<PartialValue, "snapshot" | "openMembers">) {
    this.patch = patch;
    this.#response = response;
  }

  get partial(): JsonValue | undefined {
    return this.#response.snapshot();
  }

  /** How many members the next `partial` copies. `StructuredPatchEvent` does not show it. */
  openMembers(): number {
    return this.#response.openMembers;
  }
}

/** How many members the next `partial` of an event copies, if it is an event of the agent. */
export function openMembersOf(event: StructuredPatchEvent): number {
  return event instanceof StructuredPatch ? event.openMembers() : 0;
}

/**
 * A step that shows partials at a pace at which all of them together take linear time, and always at the end of an
 * answer.
 *
 * @param keep receives each change
 * @param show shows the changes since the last call, if there are any
 */
export function pacedPartials<Partial>(
  keep: (event: StructuredPatchEvent<Partial>) => void,
  show: () => void,
): Step<AgentEvent<unknown, Partial>> {
  const pace = new SnapshotPace();
  return {
    next: (event) => {
      if (event.type === "message" || event.type === "structured") show();
      if (event.type !== "structured_patch") return;
      keep(event);
      for (const { value } of event.patch) pace.add(typeof value === "string" ? value.length : 1);
      if (pace.isDue(openMembersOf(event))) show();
    },
    end: show,
  };
}

/** Resets the shown response, because the agent discarded it. */
export const resetPatch: StructuredPatchEvent<never> = {
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
  readonly #args: PartialValue;

  constructor(id: string, name: string, delta: string, patch: JsonPatch, args: PartialValue) {
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
