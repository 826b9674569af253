import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { type AssistantMessage, collect, from, last, mergeChunks, pipe, textOf, toolCallsOf } from "millrace";
import { decodeSse } from "millrace/models";
import { decodeOpenAIChat } from "millrace/openai";
import { fixedSizes, randomPartitions } from "millrace/testing";
import { recordings } from "../../models/openai/support.js";

const all = recordings("openai-chat");

describe.skipIf(all.length === 0)("a recorded stream is decoded like by the official SDK:", () => {
  for (const { name, lines } of all) {
    const wire = `${lines.map((line) => `data: ${line}\n\n`).join("")}data: [DONE]\n\n`;
    const bytes = new TextEncoder().encode(wire);
    const params = { model: "a", messages: [{ role: "user" as const, content: "Hi" }] };

    test(`${name}, complete and split anywhere`, async () => {
      // The SDK requires a role, which Mistral omits in a call.
      const role = '"delta":{"role":"assistant",';
      const theirWire = wire.includes('"role"') ? wire : wire.replace('"delta":{', role);
      const { choices, usage, ...completion } = await sdk(theirWire)
        .chat.completions.stream({ ...params, stream_options: { include_usage: true } })
        .finalChatCompletion();
      const [choice] = choices;
      // The SDK adds Mistral's typed parts to a string, which makes "[object Object]" of them.
      const isTyped = /"content":\s*\[/.test(wire);
      const expected = {
        id: completion.id,
        model: completion.model,
        text: isTyped ? undefined : (choice?.message.content ?? ""),
        refusal: choice?.message.refusal ?? undefined,
        calls: (choice?.message.tool_calls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          args: JSON.parse(call.function.arguments) as unknown,
        })),
        finishReason: choice?.finish_reason,
        usage: [usage?.prompt_tokens, usage?.completion_tokens, usage?.total_tokens],
      };
      const ways = [[bytes], ...randomPartitions(bytes, { seed: 11, count: 2 }), ...fixedSizes(bytes, [97])];
      for (const pieces of ways) {
        const stream = pipe(from(pieces), decodeSse(), decodeOpenAIChat(), mergeChunks());
        expect(summary(await last(stream), isTyped)).toEqual(expected);
      }
    });

    test(`${name}, through the SDK's stream`, async () => {
      const ours = await collect(pipe(from([bytes]), decodeSse(), decodeOpenAIChat()));
      const stream = await sdk(wire).chat.completions.create({ ...params, stream: true });
      expect(await collect(pipe(stream, decodeOpenAIChat()))).toEqual(ours);
    });
  }
});

test("leaving the loop over an SDK's stream closes its connection", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = { choices: [{ index: 0, delta: { content: "a" } }] };
      controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
    },
    cancel() {
      cancelled = true;
    },
  });
  const stream = await sdk(body).chat.completions.create({ model: "a", messages: [], stream: true });
  for await (const chunk of pipe(stream, decodeOpenAIChat())) {
    expect(textOf(chunk)).toBe("a");
    break;
  }
  await expect.poll(() => cancelled).toBe(true);
});

function sdk(body: BodyInit): OpenAI {
  const headers = { "content-type": "text/event-stream" };
  return new OpenAI({ apiKey: "a", maxRetries: 0, fetch: async () => new Response(body, { headers }) });
}

function summary(message: AssistantMessage | undefined, isTyped: boolean): unknown {
  if (message === undefined) throw new Error("there is no message");
  const { inputTokens, outputTokens, totalTokens } = message.usage ?? {};
  return {
    id: message.id,
    model: message.model,
    text: isTyped ? undefined : textOf(message),
    refusal: message.refusal,
    calls: toolCallsOf(message),
    finishReason: message.providerFinishReason,
    usage: [inputTokens, outputTokens, totalTokens],
  };
}
