import type { Annotation } from "../../messages/blocks/annotations.js";
import { langChainMedium } from "../../messages/input/langchain.js";
import { fromOpenAIPart } from "../../messages/input/openai-part.js";
import { asList, asNumber, asRecord, isRecord, type Loose, nonEmptyText, scalarText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import { argumentsIn, plainFields, plainJson } from "../wire/plain-json.js";
import { tableOf, wordSet } from "../../text/words-in.js";
import { withoutUndefined } from "../../json/value.js";

export function addReasoning(draft: ChunkDraft, reasoning: string | undefined): void {
  draft.write("reasoning", nameOf("reasoning"), reasoning);
}

export function readPart(draft: ChunkDraft, part: unknown): void {
  if (part === null || part === undefined) return;
  if (typeof part === "string") draft.write("text", nameOf("text"), nonEmptyText(part));
  else {
    const fields = asRecord(part);
    const read = readers.get(fields["type"]);
    if (read === undefined) draft.addOther(plainJson(part));
    else read(draft, fields);
  }
}

/** The reader of each type of part. Other parts become `non_standard`. */
const readers = tableOf<(draft: ChunkDraft, part: Loose) => void>({
  "text text_delta": readText,
  "reasoning thinking redacted_thinking": readReasoning,
  "server_tool_call server_tool_call_chunk": readServerCall,
  server_tool_call_result: readResult,
  "audio image video file": readMedium,
  image_url: (draft, part) =>
    draft.add(fromOpenAIPart(part, "content") ?? { type: "non_standard", value: plainJson(part) }),
  non_standard: (draft, { value }) => draft.addOther(plainJson(value)),
});

function readText(draft: ChunkDraft, part: Loose): void {
  const annotations = [part["annotations"], part["citations"]].flatMap(asList).map(mapAnnotation);
  draft.write("text", nameOf("text", part["index"]), nonEmptyText(part["text"]), {
    annotations: annotations.length === 0 ? undefined : annotations,
    metadata: plainFields(part, textFields),
  });
}

function readReasoning(draft: ChunkDraft, part: Loose): void {
  const text = nonEmptyText(part[part["type"] as string]);
  const metadata = plainFields(part, reasoningFields);
  draft.write("reasoning", nameOf("reasoning", part["index"]), text, { metadata });
}

/** Each call has its own block. Later chunks find it by its index. */
function readServerCall(draft: ChunkDraft, { id, name, args, index }: Loose): void {
  const place = draft.placeOf(nameOf("server_tool_call", index ?? nonEmptyText(id)));
  const fields = { id: nonEmptyText(id), name: nonEmptyText(name), args: argumentsIn(args) };
  draft.addCall(place, fields, "server_tool_call_chunk");
}

function readResult(draft: ChunkDraft, { toolCallId, status, output }: Loose): void {
  draft.addResult(
    scalarText(toolCallId),
    status === "error",
    output === undefined ? undefined : plainJson(output),
  );
}

function readMedium(draft: ChunkDraft, part: Loose): void {
  const { metadata, ...fields } = langChainMedium(part);
  const block = { ...fields, ...withoutUndefined({ metadata: plainFields(metadata) }) };
  if (block.type !== "audio") draft.add(block);
  else draft.add({ ...block, index: draft.placeOf(nameOf("audio", part["index"])) });
}

/** The name of a block. @param index of LangChain, which may be missing, a number or a name */
function nameOf(kind: string, index?: unknown): string {
  return `${kind} ${typeof index} ${scalarText(index)}`;
}

const textFields = wordSet("type index text annotations citations");
const reasoningFields = wordSet("type index reasoning thinking");

function mapAnnotation(value: unknown): Annotation {
  if (!isRecord(value)) return { type: "non_standard_annotation", value: plainJson(value) };
  const url = nonEmptyText(value["url"]);
  const citedText = nonEmptyText(value["citedText"] ?? value["cited_text"]);
  if (value["type"] !== "citation" && url === undefined && citedText === undefined) {
    return { type: "non_standard_annotation", value: plainJson(value) };
  }
  return {
    type: "citation",
    ...withoutUndefined({
      url,
      title: nonEmptyText(value["title"] ?? value["document_title"]),
      citedText,
      startIndex: asNumber(value["startIndex"] ?? value["start_index"]),
      endIndex: asNumber(value["endIndex"] ?? value["end_index"]),
      metadata: plainFields(value, citationFields),
    }),
  };
}

const citationFields = wordSet(
  "type url title document_title citedText cited_text startIndex start_index endIndex end_index",
);
