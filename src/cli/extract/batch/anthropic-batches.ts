import { setTimeout } from "node:timers/promises";
import { isObject, type JsonObject, type JsonValue } from "../../../json/value.js";
import {
  type BatchAnswer,
  type BatchApi,
  type BatchPlace,
  sendForJson,
  sendForLines,
  textIn,
} from "./batch-api.js";

/** Anthropic: a batch with its requests, and a file of results. */
export function anthropicBatches(place: BatchPlace): BatchApi {
  async function* results(id: string): AsyncGenerator<readonly [string, BatchAnswer]> {
    for await (const { custom_id: name, result } of sendForLines(place, `messages/batches/${id}/results`)) {
      if (typeof name === "string" && isObject(result)) yield [name, answerOf(result)];
    }
  }
  const isEnded = async (id: string): Promise<boolean> =>
    (await sendForJson(place, `messages/batches/${id}`))["processing_status"] === "ended";
  return {
    maxRequests: 100_000,
    maxBytes: 256_000_000,
    async submit(requests) {
      const batch = await sendForJson(place, "messages/batches", {
        requests: requests.map(({ id, body: { stream: _stream, ...params } }) => ({ custom_id: id, params })),
      });
      return textIn(batch, "id");
    },
    // A batch has no metadata, so the ids of its requests begin with the token. They are in its results only.
    async find(token) {
      const { data } = await sendForJson(place, "messages/batches?limit=20");
      for (const { id } of (data ?? []) as unknown as readonly { readonly id: string }[]) {
        while (!(await isEnded(id))) await setTimeout(5_000);
        for await (const [name] of results(id)) {
          if (name.startsWith(token)) return id;
          break;
        }
      }
      return undefined;
    },
    async answers(id) {
      if (!(await isEnded(id))) return undefined;
      const answers = new Map<string, BatchAnswer>();
      for await (const [name, answer] of results(id)) answers.set(name, answer);
      return answers;
    },
    toStream: (body) => streamOf(body as JsonObject),
  };
}

function answerOf({ type, message, error }: JsonObject): BatchAnswer {
  if (type === "succeeded") return { status: 200, body: message ?? null };
  const body: JsonValue = isObject(error)
    ? error
    : { error: { message: `The request was ${type as string}.` } };
  // An expired request was not asked about, so it may be sent again.
  return { status: type === "expired" ? 408 : 400, body };
}

function streamOf(message: JsonObject): string {
  const blocks = (message["content"] ?? []) as readonly JsonObject[];
  const events: JsonObject[] = [{ type: "message_start", message: { ...message, content: [] } }];
  for (const [index, block] of blocks.entries()) {
    const [empty, delta] = parts(block);
    events.push({ type: "content_block_start", index, content_block: empty });
    if (delta !== undefined) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
  }
  const { stop_reason: reason = null, usage = {} } = message;
  events.push({ type: "message_delta", delta: { stop_reason: reason }, usage }, { type: "message_stop" });
  return events
    .map((event) => `event: ${event["type"] as string}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** A block as it begins in a stream, and the rest of it. */
function parts(block: JsonObject): readonly [JsonObject, JsonObject?] {
  if (block["type"] === "text")
    return [
      { ...block, text: "" },
      { type: "text_delta", text: block["text"] ?? "" },
    ];
  if (block["type"] !== "tool_use") return [block];
  return [
    { ...block, input: {} },
    { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) },
  ];
}
