import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AssistantMessage, createAgent, from, last, mergeChunks, pipe, textOf, tool } from "millrace";
import { toolStrategy } from "millrace/agent";
import { decodeSse } from "millrace/models";
import { decodeOpenAIResponses, openai } from "millrace/openai";
import { everyWay } from "millrace/testing";
import { z } from "zod";
import { modelAt, serving } from "../../models/support/models.js";
import { responseOf } from "../../support/provider-events.js";
import type { Answer } from "../../models/support/server.js";

/** The body of an answer of llama-server (llama.cpp of August 2026). Its model is random, so the texts are noise. */
function recorded(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, "llama-cpp", `${name}.sse`)));
}

function answering(name: string): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(recorded(name));
  };
}

function messageOf(pieces: readonly Uint8Array[]): Promise<AssistantMessage | undefined> {
  return last(pipe(from(pieces), decodeSse(), decodeOpenAIResponses(), mergeChunks()));
}

describe("an answer of llama-server that is cut before its call", () => {
  const responseFormat = toolStrategy(z.object({ list: z.array(z.string()) }).meta({ title: "output" }));

  // Its text is "\"\"", which could pass for a whole JSON document.
  test("is truncated, and is not asked for again, however it is cut", async () => {
    for (const pieces of everyWay(recorded("chat-truncated-tool"))) {
      let requests = 0;
      const fetch = async (): Promise<Response> => {
        requests++;
        return responseOf(pieces);
      };
      const model = openai({ model: "m", apiKey: "key", fetch });
      await expect(createAgent({ model, responseFormat }).invoke("Go")).rejects.toMatchObject({
        name: "AgentError",
        code: "truncated",
        finishReason: "length",
        state: { step: 1 },
      });
      expect(requests).toBe(1);
    }
  });
});

/** The events have no `output_index` and no `content_index`: only the ids say to which item they belong. */
describe("a response of llama-server", () => {
  const said = "msg_lrj354RqPiGJMRvWkBQ9sZZ3ECeYCbDh";
  const thought = "rs_JiDFMJGofASxAAJ9ryeAACcQIAoDAHX2";
  const called = "XdIjYgIXYIHbngeuAh2rrkNkv6GOsNYf";

  test.each([
    [
      "responses-text-and-call",
      [
        { type: "text", text: '""""}":""}"', metadata: { id: said } },
        {
          ...{ type: "tool_call", id: `call_${called}`, name: "add", args: { a: 42 } },
          metadata: { id: `fc_${called}` },
        },
      ],
      "tool_calls",
    ],
    [
      "responses-reasoning",
      [
        {
          ...{ type: "reasoning", reasoning: " anglaiscious racesbereerkyear" },
          metadata: { id: thought, type: "reasoning_text" },
        },
        { type: "text", text: "QUASH", metadata: { id: "msg_vjmOrOAwUyKaDHdQJN956itt1CWgW8Oi" } },
      ],
      "stop",
    ],
    // It was cut at 5 tokens, but the server does not say so.
    [
      "responses-truncated",
      [
        {
          ...{ type: "text", text: "partidoutz ehemal builder writer" },
          metadata: { id: "msg_beLtopsRzVcWyPp17U7hZiMYzvPEajak" },
        },
      ],
      "stop",
    ],
  ])("has each text, thought and call of %s once, however it is cut", async (name, content, finishReason) => {
    const bytes = recorded(name);
    for (const pieces of everyWay(bytes)) {
      const message = await messageOf(pieces);
      expect(message?.content).toEqual(content);
      expect(message?.finishReason).toBe(finishReason);
    }
  });

  test("that calls a tool runs it once", async () => {
    const server = await serving(answering("responses-text-and-call"), answering("responses-reasoning"));
    const sums: unknown[] = [];
    const add = tool({
      name: "add",
      schema: z.object({ a: z.int() }),
      run: (args) => {
        sums.push(args);
        return "42";
      },
    });
    const agent = createAgent({ model: modelAt(server, { api: "responses" }), tools: [add] });
    const { state } = await agent.invoke("Add");
    expect(sums).toEqual([{ a: 42 }]);
    expect(state.messages.map(textOf)).toEqual(["Add", '""""}":""}"', "42", "QUASH"]);
  });
});
