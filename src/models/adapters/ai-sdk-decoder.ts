import type { Citation } from "../../messages/blocks/annotations.js";
import { mergeMetadata, type Metadata } from "../../messages/blocks/metadata.js";
import type { CallChunkBlock } from "../../messages/merge/delta.js";
import { noop } from "../../stream/core/result.js";
import { mediaKind } from "../../text/bytes/media-kind.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { fieldOf } from "../../text/thrown.js";
import { ModelError } from "../contract/errors.js";
import { asList, asNumber, type Loose, asRecord, nonEmptyText, scalarText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import type { MessageDecoder } from "../wire/decoder-stage.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { argumentsIn, argumentText, plainFields, plainJson } from "../wire/plain-json.js";
import { usageReader } from "../wire/usage-reader.js";
import { withoutUndefined } from "../../json/value.js";
import { tableOf } from "../../text/words-in.js";

/** @param metadataOf the metadata of a part as plain data */
export function aiSdkDecoder(
  draft: ChunkDraft,
  metadataOf: (part: Loose) => Metadata | undefined = plainMetadata,
): MessageDecoder {
  /** The next step may reuse the ids. */
  let step = 0;
  let calls = new Map<unknown, SdkCall>();
  let lastText: number | undefined;
  /** Sources that arrived before any text. */
  const sources: Citation[] = [];

  const startStep = ({ warnings }: Loose): void => {
    step++;
    endCalls();
    if (asList(warnings).length === 0) return;
    draft.note("warnings", plainJson(warnings));
    draft.send();
  };
  /** The SDK reports each call that is complete. */
  const endCalls = (): void => {
    for (const { type, index, isWhole } of calls.values())
      if (!isWhole && type === "tool_call_chunk")
        draft.addCall(index, { error: "The call is not complete." });
    calls = new Map();
  };
  const takeSources = () => (sources.length === 0 ? undefined : sources.splice(0));
  const writer = (type: "text" | "reasoning") => (part: Loose) => {
    const piece = nonEmptyText(part["text"]);
    const metadata = metadataOf(part);
    if ((piece ?? metadata) === undefined) return;
    const annotations = type === "text" ? takeSources() : undefined;
    const index = draft.write(type, `${step} ${type} ${scalarText(part["id"])}`, piece, {
      annotations,
      metadata,
    });
    if (type === "text") lastText = index;
  };
  const beginCall = (id: unknown, part: Loose, awaitsCompleteCall: boolean): SdkCall => {
    const type = part["providerExecuted"] === true ? "server_tool_call_chunk" : "tool_call_chunk";
    const call: SdkCall = {
      type,
      index: draft.nextBlock(),
      awaitsCompleteCall,
      written: false,
      isWhole: false,
    };
    calls.set(id, call);
    const names = { id: nonEmptyText(id), name: nonEmptyText(part["toolName"]) };
    draft.addCall(call.index, { ...names, metadata: metadataOf(part) }, type);
    return call;
  };
  const readInput = (part: Loose): void => {
    const args = argumentsIn(part["delta"]);
    const call = calls.get(part["id"]);
    if (args === undefined || call === undefined || call.awaitsCompleteCall) return;
    call.written = true;
    draft.addCall(call.index, { args, metadata: metadataOf(part) }, call.type);
  };
  const readCall = (part: Loose): void => {
    const { toolCallId, input } = part;
    const before = calls.get(toolCallId);
    const call = before ?? beginCall(toolCallId, part, false);
    const metadata = before && metadataOf(part);
    // The text of an input that was streamed as text is a string, not JSON.
    const isJson = typeof input === "string" && !call.awaitsCompleteCall;
    const args = call.written || input === undefined ? undefined : isJson ? input : argumentText(input);
    call.written = call.isWhole = true;
    const error =
      part["invalid"] === true ? `The SDK refused the call: ${excerpt(messageOf(part["error"]))}` : undefined;
    if ((args ?? metadata ?? error) !== undefined)
      draft.addCall(call.index, { args, metadata, error }, call.type);
  };
  const readResult = (part: Loose): void => {
    if (part["preliminary"] === true) return; // the final result repeats it
    const failed = part["type"] === "tool-error";
    const output = failed ? part["error"] : part["output"];
    const plain = output === undefined ? undefined : plainJson(output);
    if (part["providerExecuted"] !== true) draft.addOther(plainJson(part));
    else draft.addResult(scalarText(part["toolCallId"]), failed, plain, metadataOf(part));
  };
  const addSources = (block: number): unknown =>
    draft.write("text", block, undefined, { annotations: takeSources() });
  const readSource = (part: Loose): void => {
    const { url, title, id, mediaType, filename } = part;
    const own = plainFields({ id, mediaType, filename });
    const metadata = mergeMetadata(own, metadataOf(part));
    const fields = { url: nonEmptyText(url), title: nonEmptyText(title), metadata };
    sources.push({ type: "citation", ...withoutUndefined(fields) });
    if (lastText !== undefined) addSources(lastText);
  };
  const readFile = (part: Loose): void => {
    const { base64, mediaType } = asRecord(part["file"]);
    const mimeType = nonEmptyText(mediaType);
    const type = mediaKind(mimeType ?? "");
    const index = type === "audio" ? draft.nextBlock() : undefined;
    const fields = { index, data: nonEmptyText(base64), mimeType, metadata: metadataOf(part) };
    draft.add({ type, ...withoutUndefined(fields) });
  };
  /** The usage of steps is added up, then replaced by the total. */
  const finish = (part: Loose): void => {
    // A block for citations that arrived without a text.
    if (sources.length > 0) addSources(draft.nextBlock());
    const { id, modelId } = asRecord(part["response"]);
    draft.head(id, modelId);
    draft.noteAll(metadataOf(part));
    draft.countMore(mapSdkUsage(part["usage"]));
    draft.count(mapSdkUsage(part["totalUsage"]));
    const word = nonEmptyText(part["finishReason"]);
    const raw = nonEmptyText(part["rawFinishReason"]) ?? word;
    // The SDK calls words that it does not know "other", and a turn that only pauses "stop".
    const [said, known] = [raw, word].map((it) => mapFinishReason(it ?? "other"));
    const isOverruled = known === "other" || said === "pause" || said === "error";
    if (word !== undefined) endCalls();
    if (word !== undefined) draft.finish(raw, isOverruled ? said : known);
    draft.finished = part["type"] === "finish";
    draft.send();
  };
  /** The reader of each type of part. Other parts become `non_standard`. */
  const readers = tableOf<(part: Loose) => void>({
    "start raw tool-input-end": noop,
    "start-step": startStep,
    "text-start text-delta text-end": writer("text"),
    "reasoning-start reasoning-delta reasoning-end": writer("reasoning"),
    "tool-input-start": (part) => beginCall(part["id"], part, part["inputEncoding"] === "text"),
    "tool-input-delta": readInput,
    "tool-call": readCall,
    "tool-result tool-error": readResult,
    source: readSource,
    file: readFile,
    "finish-step finish": finish,
    "error abort": fail,
  });
  return {
    read(part) {
      const reader = readers.get(part["type"]);
      if (reader === undefined) draft.addOther(plainJson(part));
      else reader(part);
    },
  };
}

interface SdkCall {
  readonly type: CallChunkBlock["type"];
  readonly index: number;
  /** Its deltas are not JSON, so the arguments are taken from the complete call. */
  readonly awaitsCompleteCall: boolean;
  written: boolean;
  isWhole: boolean;
}

const plainMetadata = ({ providerMetadata }: Loose) => plainFields(providerMetadata);

/** Maps the usage of the SDK, or of its language models: V2 has numbers, and since V3 the counts are split up. */
export const mapSdkUsage = usageReader({
  inputTokens: "inputTokens inputTokens.total",
  outputTokens: "outputTokens outputTokens.total",
  totalTokens: "totalTokens",
  cacheReadTokens: "inputTokenDetails.cacheReadTokens inputTokens.cacheRead cachedInputTokens",
  cacheWriteTokens: "inputTokenDetails.cacheWriteTokens inputTokens.cacheWrite",
  reasoningTokens: "outputTokenDetails.reasoningTokens outputTokens.reasoning reasoningTokens",
});

function fail({ type, error: cause, reason }: Loose): never {
  if (type === "abort")
    throw new DOMException(nonEmptyText(reason) ?? "The AI SDK's stream was aborted.", "AbortError");
  const problem = excerpt(messageOf(cause));
  throw new ModelError("provider", `The AI SDK reported an error in the stream: ${problem}`, {
    status: asNumber(fieldOf(cause, "statusCode")),
    retryable: fieldOf(cause, "isRetryable") === true,
    cause,
  });
}
