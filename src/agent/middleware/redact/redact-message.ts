import type { JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import type { Message } from "../../../messages/message.js";
import { jsonText } from "../../../text/json-text.js";
import type { Detectors } from "./detector.js";
import { type RedactedText, redactedJson, redactedProse } from "./redacted-text.js";
import { Replacer, type Replace } from "./replacement.js";

/** How a text is read. */
export type TextKind = "prose" | "json";

/** Makes the text of a part. */
export function openText(kind: TextKind, replacer: Replacer): RedactedText {
  return (kind === "json" ? redactedJson : redactedProse)(replacer);
}

/**
 * The fields of blocks that are redacted. `json`: a text that is JSON. `value`: any value. The others are names and ids,
 * data of media, and what only the provider reads.
 */
// prettier-ignore
const fieldsOf = {
  text: { text: "prose", annotations: "value" },
  reasoning: { reasoning: "prose" },
  "text-plain": { text: "prose", title: "prose", context: "prose" },
  tool_call: { args: "value", repairs: "value" },
  tool_call_chunk: { args: "json", raw: "prose", error: "prose", snapshot: "value" },
  invalid_tool_call: { args: "json", error: "prose" },
  server_tool_call: { args: "value" },
  server_tool_call_chunk: { args: "json", raw: "prose", error: "prose", snapshot: "value" },
  server_tool_result: { output: "value" },
  non_standard: { value: "value" },
  image: {}, audio: { transcript: "prose" }, video: {}, file: { filename: "prose" },
} satisfies Record<ContentBlock["type"], RedactedFields>;

type RedactedFields = Readonly<Record<string, TextKind | "value">>;

/** A model of one's own may write other blocks: all of their fields are values. */
function fieldsIn({ type, ...others }: ContentBlock): [name: string, kind: TextKind | "value"][] {
  if (Object.hasOwn(fieldsOf, type)) return Object.entries<TextKind | "value">(fieldsOf[type]);
  return Object.keys(others).map((name) => [name, "value"]);
}

/** @throws what `replace` throws */
export async function redactMessage<M extends Message>(
  message: M,
  detectors: Detectors,
  replace: Replace,
): Promise<M> {
  const replacer = new Replacer(detectors, replace);
  const content: ContentBlock[] = [];
  for (const block of message.content) content.push(...(await redactBlock(block, replacer)));
  const refusal = message.role === "assistant" && message.refusal;
  const refused =
    typeof refusal === "string" ? { refusal: await redactField(refusal, "prose", replacer) } : undefined;
  if (replacer.failure !== undefined) throw replacer.failure.error;
  return { ...message, content, ...refused };
}

/** A block that is there as a whole, but none if a value in it has a match that may not pass. */
export async function redactBlock<Block extends ContentBlock>(
  block: Block,
  replacer: Replacer,
): Promise<readonly Block[]> {
  const redacted: Record<string, unknown> = { ...block };
  for (const [name, kind] of fieldsIn(block)) {
    if (redacted[name] === undefined) continue;
    const field = await redactField(redacted[name], kind, replacer);
    if (field === undefined) return [];
    redacted[name] = field;
  }
  const { reasoning } = block as { readonly reasoning?: string };
  return [withoutSignature(redacted as unknown as Block, redacted["reasoning"] !== reasoning)];
}

/** Providers refuse reasoning that does not fit its signature, and leave out reasoning without one. */
export function withoutSignature<Block extends ContentBlock>(block: Block, changed: boolean): Block {
  const { metadata } = block as { readonly metadata?: Metadata };
  if (!changed || metadata === undefined) return block;
  const kept = Object.entries(metadata).filter(([name]) => !/signature/i.test(name));
  return { ...block, metadata: Object.fromEntries(kept) };
}

async function redactField(field: unknown, kind: TextKind | "value", replacer: Replacer): Promise<unknown> {
  const text = openText(kind === "prose" ? "prose" : "json", replacer);
  const written = kind === "value" ? jsonText([field]).text : String(field);
  const redacted = (await text.add(written)) + (await text.end());
  if (kind !== "value") return redacted;
  if (replacer.failure !== undefined) return undefined;
  return text.changed ? (JSON.parse(redacted) as [JsonValue])[0] : field;
}
