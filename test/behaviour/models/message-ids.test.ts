import { collect, from, last, mergeChunks, pipe, textToolCalls } from "millrace";
import { fromChatModel } from "millrace/models";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { expect, test, vi } from "vitest";

/** Every message has an id: that of its server, or else one of `createId`. */

const createId = (): string => "msg_1";
const common = { model: "m", apiKey: "k", createId, maxRetries: 0 };
const answering = (type: string, body: string) => async () =>
  new Response(body, { headers: { "content-type": type } });
const choice = { index: 0, delta: { content: "Tea." }, finish_reason: "stop" };
const events = (payload: object): string => `data: ${JSON.stringify(payload)}\n\ndata: [DONE]\n\n`;

const models = {
  "a server with ids": openai({
    ...common,
    fetch: answering("text/event-stream", events({ id: "c_7", choices: [choice] })),
  }),
  "a server without ids": openai({
    ...common,
    fetch: answering("text/event-stream", events({ choices: [choice] })),
  }),
  Ollama: ollama({
    ...common,
    fetch: answering(
      "application/x-ndjson",
      `${JSON.stringify({ message: { role: "assistant", content: "Tea." }, done: true, done_reason: "stop" })}\n`,
    ),
  }),
  "another library": fromChatModel(
    {
      async *stream() {
        yield { content: "Tea.", response_metadata: { finish_reason: "stop" } };
      },
    } as never,
    { createId },
  ),
};

test.each(Object.entries(models))("the message of %s has an id", async (name, model) => {
  const expected = name === "a server with ids" ? "c_7" : "msg_1";
  const message = await last(pipe(model.stream("Hi"), mergeChunks()));
  expect(message).toMatchObject({ id: expected, content: [{ type: "text", text: "Tea." }] });
  expect(await model.invoke("Hi")).toMatchObject({ id: expected });
});

test("a created id is another one for each message", async () => {
  const { createId: _, ...options } = common;
  const model = openai({
    ...options,
    fetch: answering("text/event-stream", events({ choices: [choice] })),
  });
  const [one, two] = [await model.invoke("Hi"), await model.invoke("Hi")];
  expect(one.id).toMatch(/^msg_[0-9a-f-]{36}$/);
  expect(two.id).not.toBe(one.id);
});

test("ids are created in pages without TLS, which have no crypto.randomUUID()", async () => {
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
  });
  try {
    const { createId: _, ...options } = common;
    const model = openai({
      ...options,
      fetch: answering("text/event-stream", events({ choices: [choice] })),
    });
    expect((await model.invoke("Hi")).id).toMatch(/^msg_[0-9a-f]{32}$/);
    const text = '<tool_call>{"name": "a", "arguments": {}}</tool_call>';
    const chunks = await collect(pipe(from([text]), textToolCalls()));
    expect(JSON.stringify(chunks)).toMatch(/"call_[0-9a-f]{32}"/);
  } finally {
    vi.unstubAllGlobals();
  }
});
