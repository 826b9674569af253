import { isDeepStrictEqual } from "node:util";
import {
  markdownListParser,
  commaSeparatedListParser,
  jsonParser,
  type MessageChunk,
  numberedListParser,
  type Operator,
  patchLines,
  pipe,
  textToolCalls,
  toAssistantMessage,
  xmlParser,
} from "../../src/index.js";
import type { JsonSchema } from "../../src/schema/index.js";
import { arriving, drain } from "../../bench/reading.js";
import type { Outcome, Reading } from "./compare.js";
import type { ReportRow } from "./corpora.js";

/** Reads the text as its family says: calls for `toolcalls`, the items of a list, the value of a document. */
export async function readReport(row: ReportRow, chunks: readonly string[]): Promise<unknown> {
  const { family, name, schema } = row;
  if (family === "toolcalls") return callsOf(row, chunks);
  const source = arriving(chunks);
  if (family === "xml") return drain(xmlParser().snapshots(source));
  if (family === "patch") return drain(patchLines({ onLineError: () => undefined }).snapshots(source));
  if (family === "lists") return collected(listParserOf(row.text).stream(source));
  const options = name.endsWith("keep") ? ({ onTruncated: "keep" } as const) : {};
  const parser = schema === undefined ? jsonParser(undefined, options) : jsonParser(schema, options);
  return chunks.length === 1 ? parser.parse(row.text) : drain(parser.final(source));
}

export function outcomeOfReport({ expected }: ReportRow, reading: Reading): Outcome {
  const all = isRecord(expected) && Array.isArray(expected["anyOf"]) ? expected["anyOf"] : [expected];
  const isError = (it: unknown): boolean => isRecord(it) && "$err" in it;
  if ("error" in reading) return all.some(isError) ? "equal" : "error";
  return all.some((it) => isDeepStrictEqual(plain(it), plain(reading.value))) ? "equal" : "different";
}

async function callsOf({ dialect, expected }: ReportRow, chunks: readonly string[]): Promise<unknown> {
  const options = { dialect: dialect ?? "auto", tools: toolsOf(expected), createId: () => "id" } as const;
  const read: MessageChunk[] = [];
  for await (const chunk of pipe(arriving(chunks), textToolCalls(options))) read.push(chunk);
  const { content } = toAssistantMessage(...read);
  const calls = content.flatMap((it): readonly object[] => {
    if (it.type === "tool_call") return [{ name: it.name, args: it.args }];
    return it.type === "invalid_tool_call"
      ? [{ invalid: true, name: it.name, args: it.args, error: it.error }]
      : [];
  });
  const text = content.map((it) => (it.type === "text" ? it.text : "")).join("");
  return isRecord(expected) && "text" in expected ? { calls, text: text.trim() } : calls;
}

/** The tools of the expected calls: their arguments have the types that are expected. */
function toolsOf(expected: unknown): readonly { name: string; parameters: JsonSchema }[] {
  const all = isRecord(expected) && Array.isArray(expected["anyOf"]) ? expected["anyOf"] : [expected];
  const calls = all.flatMap((it) => (isRecord(it) ? it["calls"] : it) as readonly Record<string, unknown>[]);
  const named = new Map(calls.filter(isRecord).map((it) => [String(it["name"]), it["args"]]));
  return [...named].map(([name, args]) => ({ name, parameters: schemaOfArguments(args as object) }));
}

function schemaOfArguments(args: object): JsonSchema {
  const typeOf = (value: unknown): string =>
    value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const properties = Object.entries(args).map(([key, value]) => [key, { type: typeOf(value) }] as const);
  return { type: "object", properties: Object.fromEntries(properties) };
}

function listParserOf(text: string): { stream: Operator<string, unknown> } {
  const [start = ""] = /(?:#+ )?[^\s<]*/.exec(text.replace(/^<THINK>.*<\/THINK>\s*/i, "")) ?? [];
  if (/^\W*(?:\d|Nr\.|[\u0E50-\u0E59])/u.test(start)) return numberedListParser();
  return /^[-*+•・]/u.test(start) ? markdownListParser() : commaSeparatedListParser();
}

async function collected(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/** Without prototypes, and with -0 as 0. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
