import { type AgentEvent, collect, createAgent, type JsonValue, type MessageChunk, tool } from "millrace";
import { redactText, type RedactTextOptions } from "millrace/agent";
import { scriptedModel, type ScriptItem } from "millrace/testing";
import { ofType } from "../../support/script.js";

/** The events of an answer of a model that writes these items. */
export function eventsOf(items: readonly ScriptItem[], options: RedactTextOptions): Promise<AgentEvent[]> {
  const model = scriptedModel(({ index }) => (index === 0 ? items : ["Done."]));
  const save = tool({
    name: "save",
    schema: { type: "object" },
    run: (args) => JSON.stringify(args),
  });
  return collect(createAgent({ model, tools: [save], middleware: [redactText(options)] }).stream("Hi"));
}

/** The text that a page shows for these chunks of text. */
export async function shownText(pieces: readonly string[], options: RedactTextOptions): Promise<string> {
  return ofType(await eventsOf(pieces, options), "text")
    .map(({ delta }) => delta)
    .join("");
}

/** The arguments that the tool gets for these chunks of JSON text. */
export async function shownArgs(
  pieces: readonly string[],
  options: RedactTextOptions,
): Promise<JsonValue | undefined> {
  const events = await eventsOf(
    pieces.map((args, at) => callChunk(args, at === 0)),
    options,
  );
  return ofType(events, "tool_start")[0]?.args;
}

export function callChunk(args: string, first: boolean, index = 0): MessageChunk {
  return {
    content: [{ type: "tool_call_chunk", index, args, ...(first && { id: `call_${index}`, name: "save" }) }],
  };
}
