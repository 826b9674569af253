import type { ContentBlock } from "../blocks/blocks.js";
import type { JsonObject } from "../../json/value.js";
import { toolCallFrom } from "../merge/finished-call.js";
import { isRecord, type Loose } from "../loose.js";
import { contentError, textAt } from "./content-error.js";

/**
 * The calls beside the content of an assistant message, in the form of OpenAI, `{id, function: {name, arguments}}`, or
 * of LangChain, `{id, name, args}`. LangChain repeats calls that are in the content, so these are left out. The
 * `function_call` of older messages of OpenAI is a call without an id.
 */
export function callsBeside(content: readonly ContentBlock[], input: Loose, place: string): ContentBlock[] {
  const { function_call: call } = input;
  const single = isRecord(call)
    ? [toCall({ name: call["name"], args: call["arguments"] }, `${place}.function_call`)]
    : [];
  const calls = ["tool_calls", "invalid_tool_calls"].flatMap((list) => {
    const calls = input[list];
    return Array.isArray(calls)
      ? calls.map((call: unknown, index) => toCall(call, `${place}.${list}[${index}]`))
      : [];
  });
  if (calls.length === 0) return single;
  const known = new Set(content.map((block) => ("id" in block ? block.id : undefined)));
  return [...single, ...calls.filter((call) => !known.has(call.id))];
}

function toCall(call: unknown, place: string): ContentBlock & { readonly id: string } {
  if (!isRecord(call) || !("function" in call || "name" in call)) throw contentError(place, form, call);
  const { function: called = { name: call["name"], arguments: call["args"] } } = call;
  if (!isRecord(called)) throw contentError(`${place}.function`, "{name, arguments}", called);
  const id = textAt(`${place}.id`, call["id"] ?? ("function" in call ? undefined : idFor(place)));
  const name = textAt(`${place}.name`, called["name"]);
  const { arguments: args } = called;
  if (isRecord(args)) return { type: "tool_call", id, name, args: args as JsonObject };
  return toolCallFrom(id, name, typeof args === "string" ? args : "");
}

/** A unique id for a call without one, made of its place, such as `messages_2_tool_calls_0`. LangChain's have no id. */
function idFor(place: string): string {
  return (place.match(/\w+/g) ?? []).join("_");
}

const form = "{id, function: {name, arguments}} or {id, name, args}";
