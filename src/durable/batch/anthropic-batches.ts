import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { excerpt } from "../../text/excerpt.js";
import {
  type BatchAnswer,
  type BatchApi,
  type BatchClaim,
  type BatchPlace,
  batchesSince,
  isOfItsTime,
  polled,
  sendForJson,
  sendForLines,
  textField,
} from "./batch-api.js";

/** Anthropic: a batch with its requests, and a file of results. */
export function anthropicBatches(place: BatchPlace): BatchApi {
  async function* results(id: string, most: number): AsyncGenerator<readonly [string, BatchAnswer]> {
    const lines = sendForLines(place, `messages/batches/${id}/results`, most);
    for await (const { custom_id: name, result } of lines) {
      if (typeof name === "string" && isObject(result)) yield [name, answerOf(result)];
    }
  }
  const batch = (id: string): Promise<JsonObject> => sendForJson(place, `messages/batches/${id}`);
  return {
    maxRequests: 100_000,
    maxBytes: 256_000_000,
    async submit(requests) {
      const created = await sendForJson(place, "messages/batches", {
        requests: requests.map(({ id, body: { stream: _stream, ...params } }) => ({ custom_id: id, params })),
      });
      return textField(created, "id");
    },
    // A batch has no metadata, so the ids of its requests begin with the token. They are in its results only.
    // So the search reads the results of batches with the same size and time, and waits for those that have not ended.
    async find(claim) {
      let open: JsonObject[] = [];
      for await (const it of batchesSince(claim, place, "messages/batches", "after_id"))
        if (mayBe(claim, it)) open.push(it);
      return await polled(async () => {
        open = await Promise.all(open.map(async (it) => (isEnded(it) ? it : batch(textField(it, "id")))));
        for (const ended of open.filter(isEnded)) {
          const id = textField(ended, "id");
          for await (const [name] of results(id, claim.keys.length)) {
            if (name.startsWith(claim.token)) return id;
            break;
          }
        }
        open = open.filter((it) => !isEnded(it));
        return open.length === 0 ? null : undefined;
      }, place.signal);
    },
    async answers(id, requests) {
      if (!isEnded(await batch(id))) return undefined;
      const answers = new Map<string, BatchAnswer>();
      for await (const [name, answer] of results(id, requests)) answers.set(name, answer);
      return answers;
    },
  };
}

function isEnded(batch: JsonObject): boolean {
  return batch["processing_status"] === "ended";
}

function mayBe(claim: BatchClaim, batch: JsonObject): boolean {
  const { request_counts: counts } = batch;
  const size = Object.values(isObject(counts) ? counts : {}).reduce((sum: number, it) => sum + Number(it), 0);
  return size === claim.keys.length && isOfItsTime(claim, batch);
}

function answerOf({ type, message, error }: JsonObject): BatchAnswer {
  if (type === "succeeded") return { status: 200, body: message ?? null };
  const body: JsonValue = isObject(error)
    ? error
    : { error: { message: `The request was ${excerpt(type ?? "refused")}.` } };
  // An expired request was not asked about, so it may be sent again.
  return { status: type === "expired" ? 408 : 400, body };
}
