import type { ContentBlock } from "../blocks/blocks.js";
import type { JsonObject } from "../../json/value.js";
import { toolCallFrom } from "../merge/finished-call.js";
import { isRecord, type Loose } from "../loose.js";
import { contentError, textAt } from "./content-error.js";

/**
 * The calls beside the content of an assistant message, in the form of OpenAI, `{id, function: {name, arguments}}`, or
 * of LangChain, `{id, name, args}`. LangChain repeats calls that are in the content, so these are left out.
 */
export function callsBeside(content: readonly ContentBlock[], input: Loose, place: string): ContentBlock[] {
  const known = new Set(content.map((block) => ("id" in block ? block.id : undefined)));
  return ["tool_calls", "invalid_tool_calls"]
    .flatMap((list) => {
      const calls = input[list];
      return Array.isArray(calls)
        ? calls.map((call: unknown, index) => toCall(call, `${place}.${list}[${index}]`))
        : [];
    })
    .filter((call) => !known.has(call.id));
}

function toCall(call: unknown, place: string): ContentBlock & { readonly id: string } {
  if (!isRecord(call) || !("function" in call || "name" in call)) throw contentError(place, form, call);
  const { function: called = { name: call["name"], arguments: call["args"] } } = call;
  if (!isRecord(called)) throw contentError(`${place}.function`, "{name, arguments}", called);
  const id = textAt(`${place}.id`, call["id"]);
  const name = textAt(`${place}.name`, called["name"]);
  const { arguments: args } = called;
  if (isRecord(args)) return { type: "tool_call", id, name, args: args as JsonObject };
  return toolCallFrom(id, name, typeof args === "string" ? args : "");
}

const form = "{id, function: {name, arguments}} or {id, name, args}";
