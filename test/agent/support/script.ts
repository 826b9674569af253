import type { AgentEvent, JsonValue, MessageChunk } from "millrace";
import { applyPatch } from "millrace/json";
import {
  scriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptItem,
} from "millrace/testing";

/** A model with these answers, one for each call. */
export function answers(
  script: readonly (readonly ScriptItem[])[],
  options?: ScriptedModelOptions,
): ScriptedModel {
  return scriptedModel(({ index }) => {
    const answer = script[index];
    if (answer === undefined) throw new Error(`The script has no answer ${index}.`);
    return answer;
  }, options);
}

/** The chunks of a call whose arguments arrive in these pieces. */
export function call(id: string, name: string, ...pieces: readonly string[]): MessageChunk[] {
  return pieces.map((args, at) => ({
    content: [{ type: "tool_call_chunk", args, index: indexOf(id), ...(at === 0 && { id, name }) }],
  }));
}

/** Calls in one message have different indices. */
function indexOf(id: string): number {
  return Number(id.replace(/\D/g, ""));
}

export function ofType<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

/** The structured response after each of its patches, of an agent or of `capture()`. */
export function partialsIn(events: readonly { readonly type: string }[]): JsonValue[] {
  let value: JsonValue = null;
  return (events as readonly AgentEvent[]).flatMap((event) =>
    event.type === "structured_patch" ? [(value = applyPatch(value, event.patch))] : [],
  );
}
