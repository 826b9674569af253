import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";
import { loadPeer } from "../../support/peers.js";
import { chatChunks, chatEvents, responseOf } from "../../support/provider-events.js";

const { MockLanguageModelV3 } = await loadPeer("ai/test");

/** A model of the AI SDK that answers with these texts. Closing its stream closes the source. */
export function answeringAiSdk(source: AsyncIterable<string>, reason = "stop"): object {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  async function* parts(): AsyncGenerator<object, void> {
    yield { type: "stream-start", warnings: [] };
    yield { type: "text-start", id: "1" };
    for await (const delta of source) yield { type: "text-delta", id: "1", delta };
    yield { type: "text-end", id: "1" };
    yield { type: "finish", finishReason: { unified: reason, raw: reason }, usage };
  }
  return new MockLanguageModelV3({
    doStream: ({ abortSignal }) => Promise.resolve({ stream: streamOf(parts(), abortSignal) }),
  });
}

/** The official SDK with an answer of these texts. Closing the body closes the source, and so does the signal. */
export function answeringOpenAI(
  source: AsyncIterable<string>,
  schema: z.ZodType = z.object({ v: z.any() }),
  reason = "stop",
): ReturnType<OpenAI["chat"]["completions"]["stream"]> {
  async function* lines(): AsyncGenerator<Uint8Array, void> {
    const encode = (choice: object): Uint8Array =>
      new TextEncoder().encode(
        `data: ${JSON.stringify({ id: "1", created: 1, model: "m", choices: [{ index: 0, ...choice }] })}\n\n`,
      );
    for await (const content of source) yield encode({ delta: { role: "assistant", content } });
    yield encode({ delta: {}, finish_reason: reason });
    yield new TextEncoder().encode("data: [DONE]\n\n");
  }
  const client = new OpenAI({
    apiKey: "none",
    fetch: (_, init) => {
      const headers = { "content-type": "text/event-stream" };
      return Promise.resolve(new Response(streamOf(lines(), init?.signal ?? undefined), { headers }));
    },
  });
  return client.chat.completions.stream({
    model: "m",
    messages: [{ role: "user", content: "?" }],
    response_format: zodResponseFormat(schema, "answer"),
  });
}

/** The events of Chat Completions with these deltas. */
export function payloadsOf(deltas: readonly object[]): object[] {
  return chatChunks(byAssistant(deltas), "tool_calls");
}

/** A server that streams these deltas. */
export function fetchOf(answer: () => readonly object[]): () => Promise<Response> {
  return () => Promise.resolve(responseOf(chatEvents(byAssistant(answer()), "tool_calls")));
}

function byAssistant(deltas: readonly object[]): object[] {
  return deltas.map((delta) => ({ role: "assistant", ...delta }));
}

/** A body as of `fetch`: cancelling it, or aborting the request, closes its source. */
function streamOf<T>(source: AsyncGenerator<T, void>, signal: AbortSignal | undefined): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      start: (controller) => {
        signal?.addEventListener("abort", () => {
          controller.error(signal.reason);
          void source.return(undefined);
        });
      },
      pull: async (controller) => {
        const { done, value } = await source.next();
        if (signal?.aborted === true) return;
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await source.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
