import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonObject } from "../../json/value.js";
import type { OutputOf, SchemaInput } from "../../schema/schema-of.js";
import { pointerTo } from "../../tree/pointer.js";

/** The result of a tool, and how it changes the state of the agent. `ownState()` makes it. */
export interface ResultWithState<Result> {
  readonly [resultWithState]: Result;
  readonly patch: readonly AnyPatchOperation[];
}

/** Registered, so that two copies of the package understand each other. */
const resultWithState: unique symbol = Symbol.for("millrace.resultWithState") as never;

/** State of one's own in the runs of an agent, typed by its schema. */
export interface OwnState<S extends SchemaInput> {
  /** For the option `stateSchema` of the agent. */
  readonly schema: S;
  /** Reads the values of a state: `runtime.state` in a tool, or the state of an event or a result. */
  of(state: { readonly values?: JsonObject | undefined }): OutputOf<S>;
  /**
   * What a tool returns to change the values. Members replace those of the same name; a JSON Patch (RFC 6902) changes
   * parts, so that tools of one step that run at the same time can both add to an array: `{ op: "add", path: "/items/-" }`.
   */
  change<Result>(
    result: Result,
    changes: Partial<OutputOf<S>> | readonly AnyPatchOperation[],
  ): ResultWithState<Result>;
}

/**
 * State of one's own: values that tools read and change, saved with the state of the run. The agent checks them with its
 * `stateSchema` at the beginning of a run and after each step, so give each member a default.
 *
 * @param schema an object of JSON, which also accepts its own output
 *
 * @example
 * ```ts
 * import { createAgent, tool } from "millrace";
 * import { ownState } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const cart = ownState(z.object({ items: z.array(z.string()).default([]) }));
 * const add = tool({
 *   name: "add",
 *   run: (item, { state }) => cart.change(`added ${item}`, { items: [...cart.of(state).items, item] }),
 * });
 * const call = { type: "tool_call" as const, id: "1", name: "add", args: { input: "tea" } };
 * const agent = createAgent({
 *   model: scriptedModel(({ index }) => (index === 0 ? [{ content: [call] }] : ["Done."])),
 *   tools: [add],
 *   stateSchema: cart.schema,
 * });
 * const { state } = await agent.invoke("Tea, please.");
 * console.log(cart.of(state).items); // ["tea"]
 * ```
 */
export function ownState<const S extends SchemaInput>(schema: S): OwnState<S> {
  return {
    schema,
    of: ({ values = {} }) => values as OutputOf<S>,
    change: (result, changes) => ({
      [resultWithState]: result,
      patch: toPatch(changes as JsonObject | readonly AnyPatchOperation[]),
    }),
  };
}

function toPatch(changes: JsonObject | readonly AnyPatchOperation[]): readonly AnyPatchOperation[] {
  if (Array.isArray(changes)) return changes as readonly AnyPatchOperation[];
  return Object.entries(changes).map(([name, value]): AnyPatchOperation => {
    return { op: "add", path: pointerTo([name]), value };
  });
}

/** What a tool returned: its result, and the changes of the state if there are any. */
export function resultIn(returned: unknown): {
  readonly result: unknown;
  readonly patch?: readonly AnyPatchOperation[];
} {
  if (typeof returned !== "object" || returned === null || !(resultWithState in returned))
    return { result: returned };
  const { [resultWithState]: result, patch } = returned as ResultWithState<unknown>;
  return { result, patch };
}
