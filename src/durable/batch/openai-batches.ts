import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { ModelError } from "../../models/contract/errors.js";
import { excerpt } from "../../text/excerpt.js";
import {
  type BatchAnswer,
  type BatchApi,
  type BatchPlace,
  batchesSince,
  sendForJson,
  sendForLines,
  textField,
} from "./batch-api.js";

/** OpenAI: a file of requests, a batch, and files of answers and of errors. */
export function openaiBatches(place: BatchPlace): BatchApi {
  const upload = async (lines: readonly string[]): Promise<string> => {
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new Blob(lines.map((line) => `${line}\n`)), "millrace.jsonl");
    return textField(await sendForJson(place, "files", form), "id");
  };
  return {
    maxRequests: 50_000,
    maxBytes: 200_000_000,
    async submit(requests, token) {
      const line = { method: "POST", url: "/v1/chat/completions" };
      const input = await upload(
        requests.map(({ id, body }) => {
          const { stream: _stream, stream_options: _options, ...rest } = body;
          return JSON.stringify({ custom_id: id, ...line, body: rest });
        }),
      );
      const batch = await sendForJson(place, "batches", {
        ...{ input_file_id: input, endpoint: line.url, completion_window: "24h" },
        metadata: { millrace: token },
      });
      return textField(batch, "id");
    },
    async find(claim) {
      for await (const batch of batchesSince(claim, place, "batches", "after")) {
        const { metadata } = batch;
        if (isObject(metadata) && metadata["millrace"] === claim.token) return textField(batch, "id");
      }
      return null;
    },
    async answers(id, requests) {
      const batch = await sendForJson(place, `batches/${id}`);
      const status = textField(batch, "status");
      if (status === "failed") {
        const { data } = (batch["errors"] ?? {}) as {
          readonly data?: readonly { readonly message?: JsonValue }[];
        };
        const reason = excerpt(data?.[0]?.message ?? "no reason stated");
        throw new ModelError("provider", `OpenAI refused the batch ${id}: ${reason}`);
      }
      if (!["completed", "expired", "cancelled"].includes(status)) return undefined;
      const answers = new Map<string, BatchAnswer>();
      for (const file of [batch["output_file_id"], batch["error_file_id"]]) {
        if (typeof file !== "string") continue;
        for await (const line of sendForLines(place, `files/${file}/content`, requests)) {
          answers.set(textField(line, "custom_id"), answerOf(line));
        }
      }
      return answers;
    },
  };
}

function answerOf({ response, error }: JsonObject): BatchAnswer {
  if (isObject(response)) {
    const status = response["status_code"];
    return {
      status:
        typeof status === "number" && (status === 200 || (status >= 400 && status < 600)) ? status : 400,
      body: response["body"] ?? null,
    };
  }
  const { code, message } = isObject(error) ? error : {};
  // An expired request was not asked about, so it may be sent again.
  return { status: code === "batch_expired" ? 408 : 400, body: { error: { message: message ?? "failed" } } };
}
