import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createElement } from "react";
import type { ChatModel } from "millrace";
import { renderToString } from "react-dom/server";
import { createRoot } from "solid-js";
import { effectScope } from "vue";
import { expect, test } from "vitest";
import { z } from "zod";
import { responseOf } from "../support/provider-events.js";

/** Each entry of the package as it is built: imported by its name, and used once as most programs use it. */

/** The content of the message of each provider. */
const answer = [{ type: "text", text: "green" }];

/** What is done with an entry, and its result. */
const uses: Readonly<Record<string, readonly [result: unknown, use: () => unknown]>> = {
  millrace: [
    [{ tea: "gr" }, { tea: "green" }],
    async () => {
      const { collect, from, jsonParser, pipe } = await import("millrace");
      return collect(pipe(from(['{"tea": "gr', 'een"}']), jsonParser().stream));
    },
  ],
  "millrace/json": [
    { tea: "green" },
    async () => {
      const { JsonParser, repair } = await import("millrace/json");
      const parser = new JsonParser({ repair });
      parser.write("{tea: 'green'}");
      parser.end();
      return parser.value;
    },
  ],
  "millrace/schema": [
    { value: { tea: "green" } },
    async () => {
      const { zod } = await import("millrace/schema");
      return zod(z.object({ tea: z.string() })).validate({ tea: "green" });
    },
  ],
  "millrace/xml": [
    { menu: [{ tea: "green" }] },
    async () => {
      const { XmlParser } = await import("millrace/xml");
      const parser = new XmlParser();
      parser.write("<menu><tea>green</tea></menu>");
      parser.end();
      return parser.snapshot();
    },
  ],
  "millrace/agent": [
    answer,
    async () => {
      const { createAgent } = await import("millrace");
      const { modelCallLimit } = await import("millrace/agent");
      const { scriptedModel } = await import("millrace/testing");
      const agent = createAgent({
        model: scriptedModel(["gr", "een"]),
        middleware: [modelCallLimit({ maxPerRun: 1 })],
      });
      return (await agent.invoke("Which tea?")).messages.at(-1)?.content;
    },
  ],
  "millrace/durable": [
    true,
    async () => {
      const { createAgent } = await import("millrace");
      const { durable, memoryJournal } = await import("millrace/durable");
      const { scriptedModel } = await import("millrace/testing");
      const records = new Map<string, string>();
      const agent = createAgent({ model: scriptedModel(["green"]) });
      await durable(agent, { journal: memoryJournal(records), id: "1" }).invoke("Which tea?");
      return records.size > 0;
    },
  ],
  "millrace/thread": [
    ["user", "assistant"],
    async () => {
      const { createAgent } = await import("millrace");
      const { memoryThreads, thread } = await import("millrace/thread");
      const { scriptedModel } = await import("millrace/testing");
      const agent = createAgent({ model: scriptedModel(["Green."]) });
      const chat = await thread(agent, { store: memoryThreads(), id: "tea" });
      for await (const event of chat.stream("Which tea?")) if (event.type === "finish") break;
      return chat.messages.map(({ role }) => role);
    },
  ],
  "millrace/models": [
    ["Hi"],
    async () => {
      const { collect, from, pipe } = await import("millrace");
      const { decodeSse } = await import("millrace/models");
      const events = await collect(pipe(from(["data: Hi\n\n"]), decodeSse()));
      return events.map(({ data }) => data);
    },
  ],
  "millrace/openai": [
    answer,
    async () => {
      const { openai } = await import("millrace/openai");
      const head = { object: "chat.completion.chunk", created: 1, id: "1", model: "m" };
      const delta = { choices: [{ index: 0, delta: { content: "green" }, finish_reason: null }] };
      const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      const events = [data({ ...head, ...delta }), data({ ...head, ...end }), "data: [DONE]\n\n"];
      return answerOf(openai({ api: "chat", ...answering(...events) }));
    },
  ],
  "millrace/anthropic": [
    answer,
    async () => {
      const { anthropic } = await import("millrace/anthropic");
      const usage = { input_tokens: 1, output_tokens: 1 };
      const message = { id: "1", type: "message", role: "assistant", model: "m", content: [], usage };
      const events = [
        { type: "message_start", message },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "green" } },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
        { type: "message_stop" },
      ];
      return answerOf(anthropic(answering(...events.map((event) => `event: ${event.type}\n${data(event)}`))));
    },
  ],
  "millrace/gemini": [
    answer,
    async () => {
      const { gemini } = await import("millrace/gemini");
      const content = { role: "model", parts: [{ text: "green" }] };
      return answerOf(gemini(answering(data({ candidates: [{ content, finishReason: "STOP" }] }))));
    },
  ],
  "millrace/ollama": [
    answer,
    async () => {
      const { ollama } = await import("millrace/ollama");
      const message = { role: "assistant", content: "green" };
      const line = { model: "m", created_at: "2026-01-01T00:00:00Z", message, done: true };
      return answerOf(ollama(answering(`${JSON.stringify({ ...line, done_reason: "stop" })}\n`)));
    },
  ],
  "millrace/serve": [
    '[{"op":"replace","path":"","value":1}]',
    async () => {
      const { from } = await import("millrace");
      const { toEventStream } = await import("millrace/serve");
      const response = toEventStream(from([[{ op: "replace" as const, path: "", value: 1 }]]), {
        format: "json-patch",
      });
      return (await response.text()).split("\n", 1)[0];
    },
  ],
  "millrace/ui": [
    "a",
    async () => {
      const { from, last, pipe } = await import("millrace");
      const { fromSpecStream } = await import("millrace/ui");
      const catalogue = { components: { Tea: z.strictObject({}) } };
      const lines = '{"op":"add","path":"/root","value":"a"}\n';
      return ((await last(pipe(from([lines]), fromSpecStream({ catalogue }).snapshots))) as { root: unknown })
        .root;
    },
  ],
  "millrace/mcp": [
    ["echo"],
    async () => {
      const { mcpTools } = await import("millrace/mcp");
      const definition = { name: "echo", inputSchema: { type: "object" } };
      const client = {
        request: () => Promise.resolve({ tools: [definition] }),
        callTool: () => Promise.resolve({}),
        setRequestHandler: () => {},
      };
      return (await mcpTools(client)).tools.map(({ name }) => name);
    },
  ],
  "millrace/redis": [
    "function",
    async () => {
      const { redisLog } = await import("millrace/redis");
      return typeof redisLog(new Redis({ lazyConnect: true })).read;
    },
  ],
  "millrace/client": [
    { tea: "green" },
    async () => {
      const { createPatchStore } = await import("millrace/client");
      const store = createPatchStore({
        schedule: (show) => {
          show();
        },
      });
      store.apply([{ op: "replace", path: "", value: { tea: "gr" } }]);
      store.apply([{ op: "append", path: "/tea", value: "een" }]);
      return store.getState().value;
    },
  ],
  "millrace/react": [
    "<p>idle</p>",
    async () => {
      const { useObject } = await import("millrace/react");
      const Page = () => createElement("p", null, useObject({ api: "/runs" }).status);
      return renderToString(createElement(Page));
    },
  ],
  "millrace/vue": [
    "idle",
    async () => {
      const { useObject } = await import("millrace/vue");
      return effectScope().run(() => useObject({ api: "/runs" }).status.value);
    },
  ],
  "millrace/svelte": [
    "idle",
    async () => {
      const { useObject } = await import("millrace/svelte");
      return useObject({ api: "/runs" }).status;
    },
  ],
  "millrace/solid": [
    "idle",
    async () => {
      const { useObject } = await import("millrace/solid");
      return createRoot(() => useObject({ api: "/runs" }).status);
    },
  ],
  "millrace/ix": [
    ["green"],
    async () => {
      const { collect, from } = await import("millrace");
      const { toIx } = await import("millrace/ix");
      return collect(toIx(from(["green"])));
    },
  ],
  "millrace/testing": [
    [["tea"], ["t", "ea"], ["te", "a"], ["t", "e", "a"]],
    async () => {
      const { allPartitions } = await import("millrace/testing");
      return [...allPartitions("tea")];
    },
  ],
};

test("each entry of package.json is used here", () => {
  const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
    readonly exports: object;
  };
  const names = Object.keys(exports).filter((path) => path !== "./package.json");
  expect(Object.keys(uses)).toEqual(names.map((path) => path.replace(".", "millrace")));
});

test.each(Object.entries(uses))("%s does its work", async (_, [result, use]) => {
  expect(await use()).toEqual(result);
});

/** The options of a provider whose server answers with these texts. */
function answering(...texts: readonly string[]): {
  readonly model: string;
  readonly apiKey: string;
  readonly fetch: () => Promise<Response>;
} {
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  return { model: "m", apiKey: "k", fetch: () => Promise.resolve(responseOf(bytes)) };
}

function data(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

async function answerOf(model: ChatModel): Promise<unknown> {
  return (await model.invoke("Which tea?")).content;
}
