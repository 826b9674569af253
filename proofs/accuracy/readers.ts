import * as bestEffort from "best-effort-json-parser";
import { jsonrepair } from "jsonrepair";
import * as partialJson from "partial-json";
import {
  type JsonOutputParser,
  type MessageChunk,
  jsonParser,
  pipe,
  textToolCalls,
  toAssistantMessage,
  toolCallsOf,
} from "../../src/index.js";
import type { JsonSchema } from "../../src/schema/index.js";
import { pieces } from "../../test/support/pieces.js";
import { int, type Random } from "../../test/support/random.js";
import { arriving, drain } from "../../bench/reading.js";
import { bamlReader } from "./baml.js";
import type { Call } from "./compare.js";
import type { AnswerRow, Question, RepairRow } from "./corpora.js";

/** Reads texts. Throws if it cannot. */
export interface AccuracyReader {
  readonly name: string;
  repair(row: RepairRow, isTruncated: boolean): unknown;
  answer(row: AnswerRow): unknown;
}

/** @param random cuts the text */
export async function loadReaders(random: Random): Promise<readonly AccuracyReader[]> {
  bestEffort.disableErrorLogging();
  const baml = await bamlReader();

  const cut = (text: string): string[] => [...pieces(text, () => int(random, 1, 12))];
  const callsOf = async ({ dialect, question }: AnswerRow, chunks: readonly string[]): Promise<unknown> => {
    const options = { dialect, tools: question.functions, createId: () => "id" };
    const read: MessageChunk[] = [];
    for await (const chunk of pipe(arriving(chunks), textToolCalls(options))) read.push(chunk);
    const message = toAssistantMessage(...read);
    const invalid = message.content.find((block) => block.type === "invalid_tool_call");
    if (invalid !== undefined) throw new TypeError(invalid.error);
    return toolCallsOf(message);
  };
  const parserOf = (
    { schema, allow }: RepairRow,
    isTruncated: boolean,
  ): Pick<JsonOutputParser<never, unknown>, "parse" | "final"> => {
    const options = {
      ...(allow === undefined ? {} : { allow }),
      ...(isTruncated || allow !== undefined ? ({ onTruncated: "keep" } as const) : {}),
    };
    return schema === undefined ? jsonParser(undefined, options) : jsonParser(schema, options);
  };
  const peer = (name: string, read: (text: string, allow?: number) => unknown): AccuracyReader => ({
    name,
    repair: ({ input, allow }) => read(input, allow),
    answer: ({ text }) => callsIn(read(withoutTags(text))),
  });
  return [
    {
      name: "millrace",
      repair: (row, isTruncated) => drain(parserOf(row, isTruncated).final(arriving([row.input]))),
      answer: (row) => callsOf(row, [row.text]),
    },
    {
      name: "in pieces",
      repair: (row, isTruncated) => drain(parserOf(row, isTruncated).final(arriving(cut(row.input)))),
      answer: (row) => callsOf(row, cut(row.text)),
    },
    peer("JSON.parse", (text) => JSON.parse(text) as unknown),
    peer("jsonrepair", (text) => JSON.parse(jsonrepair(text)) as unknown),
    peer("partial-json", (text, allow) => partialJson.parse(text, allow) as unknown),
    peer("best-effort", (text) => bestEffort.parse(text) as unknown),
    {
      name: "BAML",
      repair: ({ input, schema }, isTruncated) => baml(input, schema, isTruncated),
      answer: ({ text, question }) => callsIn(withoutNull(baml(withoutTags(text), callSchema(question)))),
    },
  ];
}

/** BAML adds `null` for optional members. */
function withoutNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, it: unknown) => it ?? undefined);
}

/** The tags of the dialects around a call. */
function withoutTags(text: string): string {
  return text
    .replaceAll(/<\/?(?:tool_call|function_call)>|<\|im_(?:start|end)\|>|\[\/?TOOL_CALLS?\]/g, "")
    .trim();
}

/** The calls in a value: one, an array of them, or `{"tool_calls": […]}`. */
function callsIn(value: unknown): readonly Call[] {
  const { tool_calls: list } = Object(value) as { readonly tool_calls?: unknown };
  return [list ?? value].flat().map((it) => {
    const { name, arguments: args, parameters } = Object(it) as Readonly<Record<string, unknown>>;
    if (typeof name !== "string") throw new TypeError("Expected a call with a name.");
    return { name, args: args ?? parameters ?? {} };
  });
}

/** The calls of the functions of a question, for a parser that needs a type. */
function callSchema({ functions }: Question): JsonSchema {
  const calls = functions.map(({ name, parameters }) => ({
    type: "object",
    properties: { name: { enum: [name, name.replaceAll(".", "_")] }, arguments: parameters },
    required: ["name", "arguments"],
  }));
  const list = { type: "array", items: { anyOf: calls } };
  const wrapped = { type: "object", properties: { tool_calls: list }, required: ["tool_calls"] };
  return { anyOf: [list, wrapped] };
}
