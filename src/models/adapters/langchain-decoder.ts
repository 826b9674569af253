import type { ChunkDraft } from "../wire/chunk-draft.js";
import type { MessageDecoder } from "../wire/decoder-stage.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { addReasoning, readPart } from "./langchain-blocks.js";
import { asList, asRecord, given, isRecord, type Loose, nonEmptyText, scalarText } from "../loose.js";
import { plainFields } from "../wire/plain-json.js";
import { usageReader } from "../wire/usage-reader.js";
import { callDeltas } from "../wire/call-deltas.js";
import { wordSet } from "../../text/words-in.js";

export function langChainDecoder(draft: ChunkDraft): MessageDecoder {
  const deltas = callDeltas(draft);

  /** Reads a call in the format of LangChain's calls, of its call chunks, or of Anthropic. */
  const readCall = (call: unknown): void => {
    if (!isRecord(call)) {
      deltas.read(call);
      return;
    }
    const { index, id, name, args, input, error } = call;
    deltas.read({ index, id, function: { name, arguments: args ?? input } }, nonEmptyText(error));
  };
  const readContent = (value: unknown, hasCalls: boolean): void => {
    if (typeof value === "string") readPart(draft, value);
    for (const part of asList(value)) {
      const { type, refusal } = asRecord(part);
      if (type === "refusal") draft.refuse(nonEmptyText(refusal));
      else if (!repeatedCalls.has(type)) readPart(draft, part);
      else if (!hasCalls) readCall(asRecord(part));
    }
  };
  return {
    read(item) {
      const kwargs = asRecord(item["additional_kwargs"]);
      const response = asRecord(item["response_metadata"]);
      const calls = callsOf(item);
      // For OpenAI's Responses API, LangChain repeats the reasoning beside the content.
      if (!asList(item["content"]).some(isReasoning)) addReasoning(draft, reasoningIn(kwargs));
      readContent(item["content"], calls.length > 0);
      for (const call of calls) readCall(call);
      draft.head(item["id"], response["model_name"] ?? response["model"]);
      draft.refuse(nonEmptyText(kwargs["refusal"]));
      draft.countMore(mapUsage(item["usage_metadata"]));
      draft.noteNew({ ...plainFields(kwargs, knownKwargs), ...plainFields(response, knownResponseFields) });
      const word = finishReasonIn(response, kwargs);
      if (word !== undefined) draft.finish(word, mapFinishReason(word, draft.called && word === "completed"));
      draft.addLogprobs(response["logprobs"]);
      draft.send();
    },
    end: deltas.end,
  };
}

/** LangChain derives `tool_calls` from `tool_call_chunks`. In a complete message each is a call, even without an id. */
function callsOf(item: Loose): readonly unknown[] {
  const chunks = [given(item["tool_call_chunks"]) ?? []].flat();
  if (chunks.length > 0) return chunks;
  return [item["tool_calls"], item["invalid_tool_calls"]].flatMap((calls, list) =>
    asList(calls)
      .filter(isRecord)
      .map((call, at) => ({ ...call, index: `${list} ${at} ${scalarText(call["id"])}` })),
  );
}

/** The content blocks, of LangChain and of Anthropic, that repeat a call of `tool_call_chunks`. */
const repeatedCalls = wordSet("tool_call tool_call_chunk invalid_tool_call tool_use input_json_delta");

function isReasoning(part: unknown): boolean {
  return /^(?:reasoning|thinking)$/.test(scalarText(asRecord(part)["type"]));
}

/** Reads `reasoning_content` (DeepSeek and others) or the reasoning summaries of OpenAI's Responses API. */
function reasoningIn({ reasoning_content, reasoning }: Loose): string | undefined {
  const summary = asList(asRecord(reasoning)["summary"]).map((part) => nonEmptyText(asRecord(part)["text"]));
  return nonEmptyText(reasoning_content) ?? nonEmptyText(reasoning) ?? nonEmptyText(summary.join(""));
}

const knownKwargs = wordSet("reasoning_content reasoning refusal tool_calls function_call stop_reason");
const knownResponseFields = wordSet(`
  finish_reason stop_reason finishReason done_reason stopReason messageStop incomplete_details
  model_name model usage tokenUsage estimatedTokenUsage logprobs
`);

/** The counts of a chunk. LangChain adds them up when it merges chunks. */
const mapUsage = usageReader({
  inputTokens: "input_tokens",
  outputTokens: "output_tokens",
  totalTokens: "total_tokens",
  cacheReadTokens: "input_token_details.cache_read",
  cacheWriteTokens: "input_token_details.cache_creation",
  inputAudioTokens: "input_token_details.audio",
  reasoningTokens: "output_token_details.reasoning",
  outputAudioTokens: "output_token_details.audio",
});

function finishReasonIn(response: Loose, kwargs: Loose): string | undefined {
  const { finish_reason, stop_reason, finishReason, done_reason, status } = response;
  return [
    finish_reason,
    stop_reason,
    finishReason,
    done_reason,
    response["stopReason"], // Bedrock
    asRecord(response["messageStop"])["stopReason"], // Bedrock, streamed
    asRecord(response["incomplete_details"])["reason"], // OpenAI's Responses API
    kwargs["stop_reason"],
    endStatuses.has(status) ? status : undefined,
  ].find((reason): reason is string => nonEmptyText(reason) !== undefined);
}

/** The statuses of a response of OpenAI's Responses API that has ended. */
const endStatuses = wordSet("completed incomplete failed cancelled");
