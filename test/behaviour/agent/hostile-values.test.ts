import * as api from "@opentelemetry/api";
import {
  assistant,
  type ContentBlock,
  createAgent,
  type JsonObject,
  textOf,
  tool,
  toolStrategy,
  user,
} from "millrace";
import { logging, telemetry, trimMessages } from "millrace/agent";
import { agUiHandler, toUiMessageStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`) as JsonObject;
const cycle: Record<string, unknown> = { name: "it" };
cycle["self"] = cycle;

/** A conversation with blocks as a careless program may build them. */
const history = [
  user("Hi"),
  assistant([
    { type: "text", text: "Yes." },
    { type: "non_standard", value: deep },
    { type: "tool_call", id: "1", name: "f", args: deep },
  ] as ContentBlock[]),
  { role: "tool" as const, toolCallId: "1", content: [{ type: "text" as const, text: "done" }] },
];

describe("deep and cyclic values end no run,", () => {
  test.each([
    ["of logging()", logging({ captureContent: true, log: () => {} })],
    ["of telemetry()", telemetry({ api, captureContent: true })],
    ["of trimMessages()", trimMessages({ maxTokens: 1_000 })],
  ])("%s: in the messages", async (_name, middleware) => {
    const agent = createAgent({ model: scriptedModel(["Done."]), middleware: [middleware] });
    const { messages } = await agent.invoke([...history, user("Go on.")]);
    expect(messages.map(textOf).at(-1)).toBe("Done.");
  });

  test("of logging(): in progress and in a structured response", async () => {
    const lines: string[] = [];
    const model = scriptedModel(({ index }) => [
      index === 0
        ? { content: [{ type: "tool_call", id: "1", name: "f", args: {} }] }
        : { content: [{ type: "tool_call", id: "2", name: "output", args: { n: 1 } }] },
    ]);
    const agent = createAgent({
      model,
      tools: [
        tool({
          name: "f",
          schema: z.object({}),
          run: (_args, { emit }) => {
            emit(cycle);
            emit(1n);
            return "done";
          },
        }),
      ],
      responseFormat: toolStrategy(z.object({ n: z.number().transform(BigInt) })),
      middleware: [logging({ captureContent: true, level: "debug", log: (line) => lines.push(line) })],
    });
    expect((await agent.invoke("Hi")).structuredResponse).toEqual({ n: 1n });
    expect(lines.join("\n")).toContain('{"name":"it"');
  });
});

describe("events that cannot be written as JSON", () => {
  const agent = () =>
    createAgent({
      model: scriptedModel(({ index }) =>
        index === 0 ? [{ content: [{ type: "tool_call", id: "1", name: "f", args: {} }] }] : ["Done."],
      ),
      tools: [
        tool({
          name: "f",
          schema: z.object({}),
          run: (_args, { emit }) => {
            emit(cycle);
            return "done";
          },
        }),
      ],
    });

  test("end the stream for useChat with an error, not the process", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): undefined => {
      errors.push(error);
    };
    const text = await toUiMessageStream(agent().stream("Hi"), { onError }).text();
    expect(text).toContain('"type":"error"');
    expect(errors).toMatchObject([{ name: "TypeError" }]);
  });

  test("end the stream of AG-UI with an error, not the process", async () => {
    const body = JSON.stringify({
      threadId: "1",
      runId: "2",
      messages: [{ id: "3", role: "user", content: "Hi" }],
    });
    const headers = { "content-type": "application/json" };
    const request = new Request("http://localhost/agent", { method: "POST", headers, body });
    expect(await (await agUiHandler(agent())(request)).text()).toContain("RUN_ERROR");
  });
});
