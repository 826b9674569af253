import { mediaKind } from "../text/bytes/media-kind.js";
import { sameData } from "../json/patch/same-data.js";
import type { JsonValue } from "../json/value.js";
import type { ContentBlock } from "../messages/blocks/blocks.js";
import { isRecord, type Loose } from "../messages/loose.js";
import { formatIssues, type Schema } from "../schema/schema.js";
import { beginning, cut } from "../text/cut.js";
import { jsonText, parsedJson } from "../text/json-text.js";
import { McpToolsError } from "./errors.js";

/** The bounds of results, and what the program gets of them. */
export interface ResultOptions {
  readonly maxResultChars: number;
  readonly maxResultSize: number;
  readonly keepResult: boolean;
}

/** A tool message, as a tool may return it. */
export interface ReturnedMessage {
  readonly role: "tool";
  readonly content: readonly ContentBlock[] | "";
  readonly status: "success" | "error";
  readonly artifact?: JsonValue;
}

/**
 * Turns the result of a call into a tool message.
 *
 * @throws {McpToolsError} `too_large`, `invalid_result`
 */
export async function toToolMessage(
  result: unknown,
  { name: tool, output }: { readonly name: string; readonly output: Schema<unknown> | undefined },
  { maxResultChars, maxResultSize, keepResult }: ResultOptions,
): Promise<ReturnedMessage> {
  if (isLarger(result, maxResultSize)) {
    const problem = `The result is larger than ${maxResultSize} characters (maxResultSize).`;
    throw new McpToolsError("too_large", problem, { tool });
  }
  if (!isRecord(result)) throw invalid("It is not an object.", tool);
  const { content = [], structuredContent, isError } = result;
  if (!Array.isArray(content)) throw invalid("Its content is not an array.", tool);
  const failed = isError === true;
  if (output !== undefined && !failed) await checkOutput(output, structuredContent, tool);
  const shown = boundedBlocks(content, structuredContent, maxResultChars);
  const artifact = keepResult ? result : structuredContent;
  return {
    role: "tool",
    content: shown.length === 0 ? "" : shown,
    status: failed ? "error" : "success",
    ...(artifact !== undefined && { artifact: artifact as JsonValue }),
  };
}

function invalid(problem: string, tool: string): McpToolsError {
  return new McpToolsError("invalid_result", `The server sent a result that cannot be read. ${problem}`, {
    tool,
  });
}

async function checkOutput(output: Schema<unknown>, structured: unknown, tool: string): Promise<void> {
  if (structured === undefined) {
    throw invalid("The tool has an output schema, but the result has no structuredContent.", tool);
  }
  const { issues } = await output.validate(structured);
  if (issues === undefined) return;
  throw invalid(`Its structuredContent does not satisfy the output schema. ${formatIssues(issues)}`, tool);
}

/** Whether a value has more characters than that. A value inside counts as one more. */
function isLarger(value: unknown, limit: number): boolean {
  const open = [value];
  let size = 0;
  // The list grows.
  for (const inner of open) {
    size += 1 + (typeof inner === "string" ? inner.length : 0);
    if (size > limit) return true;
    if (typeof inner !== "object" || inner === null) continue;
    for (const [key, part] of Object.entries(inner)) {
      size += Array.isArray(inner) ? 0 : key.length;
      open.push(part);
    }
  }
  return false;
}

/** Whether a text is the JSON of the value: many servers send both. */
function isInTexts(value: unknown, content: readonly unknown[]): boolean {
  return content.some((block) => {
    const text = isRecord(block) && block["type"] === "text" ? block["text"] : undefined;
    return typeof text === "string" && sameData(parsedJson(text), value);
  });
}

const maxBlocks = 1_000;

/** The blocks of a result, with the texts cut together. */
function boundedBlocks(content: readonly unknown[], structured: unknown, maxChars: number): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let left = maxChars;
  let missing = 0;
  const addText = (text: string, make = (it: string): ContentBlock => ({ type: "text", text: it })): void => {
    const shown = beginning(text, left);
    left -= shown.length;
    missing += text.length - shown.length;
    if (shown !== "" || text === "") blocks.push(make(shown));
  };
  let missingBlocks = 0;
  for (const block of content) {
    if (blocks.length >= maxBlocks) {
      missingBlocks++;
      continue;
    }
    const type = isRecord(block) ? block["type"] : undefined;
    const read = typeof type === "string" && Object.hasOwn(readers, type) ? readers[type] : undefined;
    const found = read?.(block as Loose);
    if (found === undefined) addText(jsonText(block).text);
    else if (found.type === "text") addText(found.text);
    else if (found.type === "text-plain") addText(found.text ?? "", (text) => ({ ...found, text }));
    else blocks.push(found);
  }
  if (structured !== undefined && !isInTexts(structured, content)) addText(jsonText(structured).text);
  const notes = [
    ...(missing > 0 ? [`${missing} more characters`] : []),
    ...(missingBlocks > 0 ? [`${missingBlocks} more blocks`] : []),
  ];
  if (notes.length > 0) blocks.push({ type: "text", text: `[The result is cut: ${notes.join(" and ")}.]` });
  return blocks;
}

/** How each type of block is read. A block that cannot be read is shown as JSON. */
const readers: Readonly<Record<string, (block: Loose) => ContentBlock | undefined>> = {
  text: ({ text }) => (typeof text === "string" ? { type: "text", text } : undefined),
  image: ({ data, mimeType }) => medium(data, mimeType),
  audio: ({ data, mimeType }) => medium(data, mimeType),
  resource: ({ resource }) => {
    if (!isRecord(resource)) return undefined;
    const { uri, text, blob, mimeType } = resource;
    const title = typeof uri === "string" ? cut(uri, maxUri) : "a resource";
    if (typeof text === "string") return { type: "text-plain", title, text };
    return blob === undefined ? undefined : medium(blob, mimeType, title);
  },
  resource_link: ({ uri, name, title, mimeType, description }) => {
    if (typeof uri !== "string") return undefined;
    const words = [name, title, mimeType, description].filter((it) => typeof it === "string" && it !== "");
    return { type: "text", text: [`[Resource ${cut(uri, maxUri)}]`, ...words].join(" ") };
  },
};

const maxUri = 2_000;

/** A medium of its type. Providers would refuse a request with data that is not base64. */
function medium(data: unknown, mimeType: unknown, filename?: string): ContentBlock {
  if (typeof data !== "string" || !/^[\w+/-]*={0,2}$/.test(data)) {
    return { type: "text", text: "[A medium whose data is not base64]" };
  }
  const known = typeof mimeType === "string" && /^[\w.+-]{1,80}\/[\w.+-]{1,80}(?:;|$)/.test(mimeType);
  const type = known ? (mimeType.split(";", 1)[0] as string) : "application/octet-stream";
  const kind = mediaKind(type);
  if (kind !== "file") return { type: kind, data, mimeType: type };
  return { type: kind, data, mimeType: type, ...(filename !== undefined && { filename }) };
}
