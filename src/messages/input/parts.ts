import { mediaKind } from "../../text/bytes/media-kind.js";
import { excerpt } from "../../text/excerpt.js";
import { jsonText } from "../../text/json-text.js";
import { wordsIn } from "../../text/words-in.js";
import type { ContentBlock } from "../blocks/blocks.js";
import type { MediaSource } from "../blocks/media-blocks.js";
import type { Metadata } from "../blocks/metadata.js";
import { MessageError, contentError, textAt } from "../errors.js";
import { isRecord, type Loose } from "../loose.js";
import { toolCallFrom } from "../merge/arguments.js";
import type { Message, ToolMessage } from "../message.js";
import { toKnownBlock } from "./content.js";

/** One call of the model, and the results of the tools that it called. */
export interface PartsStep {
  readonly content: ContentBlock[];
  readonly results: ToolMessage[];
}

/** A message of the AI SDK has all steps of an answer, each after a `step-start`, and the results of their calls. */
export function stepsInParts(parts: readonly unknown[], role: Message["role"], place: string): PartsStep[] {
  let step: PartsStep = { content: [], results: [] };
  const steps = [step];
  for (const [index, part] of parts.entries()) {
    const at = `${place}[${index}]`;
    if (isRecord(part) && part["type"] === "step-start") {
      if (step.content.length > 0) steps.push((step = { content: [], results: [] }));
    } else if (role === "assistant" && isRecord(part) && isCall(part)) addCall(step, part, at);
    else step.content.push(toBlock(part, role, at));
  }
  return steps.length > 1 && step.content.length === 0 ? steps.slice(0, -1) : steps;
}

function isCall({ type }: Loose): boolean {
  return typeof type === "string" && (type === "dynamic-tool" || type.startsWith("tool-"));
}

function addCall({ content, results }: PartsStep, part: Loose, place: string): void {
  const { type, state, input, rawInput, output, preliminary } = part;
  if (!callStates.includes(state))
    throw contentError(`${place}.state`, `one of ${callStates.join(", ")}`, state);
  const id = textAt(`${place}.toolCallId`, part["toolCallId"]);
  const name =
    type === "dynamic-tool" ? textAt(`${place}.toolName`, part["toolName"]) : (type as string).slice(5);
  const call = toolCallFrom(id, name, textOf(input ?? rawInput ?? {}));
  content.push({ ...call, ...metadataOf(part["callProviderMetadata"]) });
  const answer = (text: string, status: "success" | "error"): void => {
    results.push({ role: "tool", toolCallId: id, name, status, content: [{ type: "text", text }] });
  };
  // A preliminary output is the latest progress of a tool that was stopped.
  if (state === "output-available" && preliminary !== true) answer(textOf(output ?? null), "success");
  else if (state === "output-error") answer(textAt(`${place}.errorText`, part["errorText"]), "error");
  else if (state === "output-denied") answer(`The call of "${name}" was rejected by a person.`, "error");
}

const callStates: readonly unknown[] = wordsIn(`
  input-available approval-requested approval-responded output-available output-error output-denied
`);

function textOf(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value).text;
}

function toBlock(part: unknown, role: Message["role"], place: string): ContentBlock {
  if (!isRecord(part)) return toKnownBlock(part, role, place);
  const { type, state: _state, providerMetadata, ...fields } = part;
  switch (type) {
    case undefined:
      return fromGemini(part, place);
    case "text":
      return { ...toKnownBlock({ type, ...fields }, role, place), ...metadataOf(providerMetadata) };
    case "reasoning":
      if ("reasoning" in part) return toKnownBlock(part, role, place);
      return { type, reasoning: textAt(`${place}.text`, part["text"]), ...metadataOf(providerMetadata) };
    case "file":
      return "mediaType" in part ? fromFile(part, place) : toKnownBlock(part, role, place);
    default:
      return toKnownBlock(part, role, place);
  }
}

function fromFile({ mediaType, url, filename, providerMetadata }: Loose, place: string): ContentBlock {
  const block = medium(textAt(`${place}.mediaType`, mediaType), { url: textAt(`${place}.url`, url) });
  const isNamed = block.type === "file" && filename !== undefined;
  return {
    ...block,
    ...(isNamed ? { filename: textAt(`${place}.filename`, filename) } : undefined),
    ...metadataOf(providerMetadata),
  };
}

function fromGemini(part: Loose, place: string): ContentBlock {
  const { text, thought, inlineData, fileData, ...others } = part;
  const metadata = metadataOf(others);
  const contents = [text, inlineData, fileData].filter((content) => content !== undefined);
  if (contents.length !== 1 || !Object.keys(others).every((name) => geminiFields.includes(name)))
    throw unknownPart(part, place);
  if (typeof text === "string") {
    return thought === true
      ? { type: "reasoning", reasoning: text, ...metadata }
      : { type: "text", text, ...metadata };
  }
  if (isRecord(inlineData)) {
    const data = textAt(`${place}.inlineData.data`, inlineData["data"]);
    const mimeType = textAt(`${place}.inlineData.mimeType`, inlineData["mimeType"]);
    return { ...medium(mimeType, { data }), ...metadata };
  }
  if (isRecord(fileData)) {
    const url = textAt(`${place}.fileData.fileUri`, fileData["fileUri"]);
    const mimeType = textAt(`${place}.fileData.mimeType`, fileData["mimeType"]);
    return { ...medium(mimeType, { url }), ...metadata };
  }
  throw unknownPart(part, place);
}

/** Fields beside the content of a part, which are sent back to Gemini. */
const geminiFields = ["thoughtSignature", "mediaResolution", "videoMetadata", "partMetadata"];

function unknownPart(part: Loose, place: string): MessageError {
  const names = excerpt(Object.keys(part).join(", "), 200);
  return new MessageError(
    "invalid_content",
    `${place} has no type and the keys ${names}. Parts without a type must be Gemini's, with one of text, inlineData and fileData. Write calls and their results as tool_calls and tool messages.`,
  );
}

function medium(mimeType: string, source: MediaSource): ContentBlock {
  return { type: mediaKind(mimeType), ...source, mimeType };
}

function metadataOf(fields: unknown): { readonly metadata?: Metadata } {
  return isRecord(fields) && Object.keys(fields).length > 0 ? { metadata: fields as Metadata } : {};
}
