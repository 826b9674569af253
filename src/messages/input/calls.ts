import type { ContentBlock } from "../blocks/blocks.js";
import { sameData } from "../../json/patch/same-data.js";
import type { JsonObject } from "../../json/value.js";
import { jsonText } from "../../text/json-text.js";
import { type FinishedCall, isFinishedCall } from "../blocks/read.js";
import { toolCallFrom } from "../merge/arguments.js";
import { isRecord, type Loose } from "../loose.js";
import { MessageError, contentError, textAt } from "../errors.js";

/** The calls beside the content, in the forms of OpenAI and LangChain, without those that repeat another. */
export function callsBeside(content: readonly ContentBlock[], input: Loose, place: string): FinishedCall[] {
  const { additional_kwargs: kwargs } = input;
  const lists = listNames.map((name) => callsIn(input, name, place));
  if (kwargs !== undefined && kwargs !== null) {
    if (!isRecord(kwargs)) throw contentError(`${place}.additional_kwargs`, "an object", kwargs);
    for (const name of kwargsNames) lists.push(callsIn(kwargs, name, `${place}.additional_kwargs`));
  }
  const known = content.filter(isFinishedCall);
  const hasMedia = content.some(({ type }) => type !== "text");
  for (const [name, words] of unread) {
    const list = input[name];
    if (Array.isArray(list) && list.length > 0 && !(words === asCalls ? known.length > 0 : hasMedia))
      throw new MessageError("invalid_content", `${place}.${name} is not read. ${words}`);
  }
  const ids = new Set(content.map((block) => ("id" in block ? block.id : undefined)));
  const calls: FinishedCall[] = [];
  for (const list of lists) {
    const added = list.filter(({ call, hasId }) =>
      hasId
        ? !ids.has(call.id)
        : !known.some((other) => call.name === other.name && sameData(call.args, other.args)),
    );
    for (const { call } of added) {
      calls.push(call);
      known.push(call);
      ids.add(call.id);
    }
  }
  return calls;
}

/** In this order, a list of calls with ids precedes what repeats it without one. */
const kwargsNames = ["tool_calls", "function_call"] as const;
const listNames = ["function_call", "tool_calls", "invalid_tool_calls"] as const;

const asCalls =
  "Write the calls as tool_calls or as blocks of the content, and their results as tool messages.";
const asBlocks = "Write images and files as blocks of the content.";
/** Where results of functions of the AI SDK and older messages of its pages, and messages of Ollama, have other parts. */
const unread: readonly (readonly [name: string, words: string])[] = [
  ["toolCalls", asCalls],
  ["toolInvocations", asCalls],
  ["experimental_attachments", asBlocks],
  ["images", asBlocks],
];

function callsIn(input: Loose, name: (typeof listNames)[number], place: string) {
  const value = input[name];
  if (value === undefined || value === null) return [];
  if (name === "function_call") {
    if (!isRecord(value)) throw contentError(`${place}.${name}`, "an object {name, arguments}", value);
    const { name: called, arguments: args } = value;
    return [{ call: toCall({ name: called, args }, `${place}.${name}`), hasId: false }];
  }
  if (!Array.isArray(value)) throw contentError(`${place}.${name}`, "an array of calls", value);
  return Array.from(value, (call: unknown, index) => ({
    call: toCall(call, `${place}.${name}[${index}]`),
    hasId: isRecord(call) && typeof call["id"] === "string",
  }));
}

export function toCall(call: unknown, place: string): FinishedCall {
  if (!isRecord(call) || !("function" in call || "name" in call)) throw contentError(place, form, call);
  const { function: called = { name: call["name"], arguments: call["args"] } } = call;
  if (!isRecord(called)) throw contentError(`${place}.function`, "{name, arguments}", called);
  const id = textAt(`${place}.id`, call["id"] ?? ("function" in call ? undefined : idFor(place)));
  const name = textAt(`${place}.name`, called["name"]);
  const { arguments: args = "" } = called;
  if (isRecord(args)) return { type: "tool_call", id, name, args: args as JsonObject };
  return toolCallFrom(id, name, typeof args === "string" ? args : jsonText(args).text);
}

/** A unique id for a call without one, made of its place, such as `messages_2_tool_calls_0`. LangChain's have no id. */
function idFor(place: string): string {
  return (place.match(/\w+/g) ?? []).join("_");
}

const form = "{id, function: {name, arguments}} or {id, name, args}";
