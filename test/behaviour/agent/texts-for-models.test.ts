import {
  collect,
  createAgent,
  from,
  jsonParser,
  type JsonValue,
  type MessageChunk,
  pipe,
  retrying,
  textOf,
  tool,
  toolCallsParser,
} from "millrace";
import { providerStrategy, ToolError, toolStrategy, toolCallLimit } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const long = "x".repeat(1_000_000);

/** The longest text about a failure, and the sentences around it. */
const bound = 10_500;

function call(name: string, args: string, id = "1"): MessageChunk {
  return { content: [{ type: "tool_call_chunk", id, index: Number(id), name, args }] };
}

const echo = tool({ name: "echo", schema: z.strictObject({ text: z.enum(["a", "b"]) }), run: () => "done" });
const throwing = (error: unknown, options: object = {}) =>
  tool({
    name: "fails",
    schema: z.object({}),
    run: () => {
      throw error;
    },
    ...options,
  });

/** The texts that a model gets after its first answer, but those that it wrote itself. */
async function textsAfter(
  first: MessageChunk | readonly MessageChunk[],
  options: Omit<Parameters<typeof createAgent>[0], "model">,
): Promise<string[]> {
  const model = scriptedModel(({ index }) => (index === 0 ? [first].flat() : ["Done."]));
  await createAgent({ model, maxRetries: 1, ...options })
    .invoke("Hi")
    .catch(() => {});
  const { messages = [] } = model.calls[1] ?? {};
  return messages
    .filter(({ role }) => role === "tool" || role === "user")
    .slice(1)
    .map(textOf);
}

const several = Array.from({ length: 500 }, (_, i) => call("output", `{"a": ${i}}`, String(i)));

// G-agent-13
describe("a model gets a short text, and one that says what is wrong,", () => {
  const cases: Readonly<Record<string, () => Promise<string[]>>> = {
    "for an unknown tool": () => textsAfter(call(long, "{}"), { tools: [echo] }),
    "for arguments that are not JSON": () => textsAfter(call("echo", `{"text": ${long}`), { tools: [echo] }),
    "for arguments of another type": () => textsAfter(call("echo", `"${long}"`), { tools: [echo] }),
    "for an argument that the schema does not have": () =>
      textsAfter(call("echo", `{"text": "a", "${long}": 1}`), { tools: [echo] }),
    "for thousands of wrong arguments": () =>
      textsAfter(call("list", JSON.stringify({ items: Array.from({ length: 10_000 }, () => "no") })), {
        tools: [tool({ name: "list", schema: z.object({ items: z.array(z.number()) }), run: () => "" })],
      }),
    "for a wrong argument by JSON Schema": () =>
      textsAfter(call("list", JSON.stringify({ [long]: long, text: long })), {
        tools: [
          tool({
            name: "list",
            schema: {
              type: "object",
              properties: { text: { enum: ["a"], maxLength: 3, format: "email" } },
              additionalProperties: false,
            },
            run: () => "",
          }),
        ],
      }),
    "for an error of a tool": () => textsAfter(call("fails", "{}"), { tools: [throwing(new Error(long))] }),
    "for a ToolError": () =>
      textsAfter(call("fails", "{}"), { tools: [throwing(new ToolError("failed", long))] }),
    "for an error that onError writes": () =>
      textsAfter(call("fails", "{}"), { tools: [throwing(new Error(), { onError: () => long })] }),
    "for an error that onInvalidInput writes": () =>
      textsAfter(call("fails", "[]"), {
        tools: [throwing(0, { onInvalidInput: () => Promise.resolve(long) })],
      }),
    "for a result that is not JSON": () =>
      textsAfter(call("cycle", "{}"), {
        tools: [
          tool({
            name: "cycle",
            schema: z.object({}),
            run: () => {
              const cycle: Record<string, unknown> = {};
              cycle[long] = cycle;
              return cycle;
            },
          }),
        ],
      }),
    "at the limit of calls": () =>
      textsAfter(call("echo", '{"text": "a"}'), {
        tools: [echo],
        middleware: [toolCallLimit({ maxPerRun: 0 })],
      }),
    "for a response with an unknown key": () =>
      textsAfter(call("output", `{"a": 1, "${long}": 2}`), {
        responseFormat: toolStrategy(z.strictObject({ a: z.number() })),
      }),
    "for a response with a wrong value deep inside": () =>
      textsAfter(call("output", `{"${long}": {"b": "${long}"}}`), {
        responseFormat: toolStrategy(z.record(z.string(), z.object({ b: z.number() }))),
      }),
    "for a response that is not JSON": () =>
      textsAfter(call("output", `{"a": ${long}`), {
        responseFormat: toolStrategy(z.object({ a: z.number() })),
      }),
    "for a response as text": () =>
      textsAfter(
        { content: [{ type: "text", text: `{"${long}": "${long}"}` }] },
        { responseFormat: providerStrategy(z.strictObject({ a: z.number() })) },
      ),
    "for many responses": () =>
      textsAfter(several, { responseFormat: toolStrategy(z.object({ a: z.number() })) }),
    "that handleError writes": () =>
      textsAfter(call("output", '{"a": "b"}'), {
        responseFormat: toolStrategy(z.object({ a: z.number() }), { handleError: () => long }),
      }),
    "from retrying(), for the error": async () => {
      const model = scriptedModel(['{"a": 1}']);
      const parser = retrying(jsonParser(z.strictObject({ a: z.number() })), model, {
        prompt: ({ error }) => error.message,
      });
      await collect(pipe(from([`{"${long}": 1}`]), parser.final));
      return model.calls.flatMap(({ messages }) => messages.map(textOf));
    },
    "from retrying(), for unknown tools": async () => {
      const model = scriptedModel([call("echo", '{"text": "a"}')]);
      const parser = retrying(toolCallsParser({ tools: [echo] }), model, {
        prompt: ({ error }) => error.message,
      });
      await collect(pipe(from([call(long, "{}")]), parser.final));
      return model.calls.flatMap(({ messages }) => messages.map(textOf));
    },
  };

  test.each(Object.entries(cases))("%s", async (_name, texts) => {
    const found = await texts();
    expect(found).not.toEqual([]);
    for (const text of found) {
      expect(text.length).toBeGreaterThan(10);
      expect(text.length).toBeLessThan(bound);
    }
  });
});

test("the default message for a structured response is short, and complete if the response is", async () => {
  const messageFor = async (args: Readonly<Record<string, JsonValue>>): Promise<string | undefined> => {
    const model = scriptedModel([call("output", JSON.stringify(args))]);
    const agent = createAgent({ model, responseFormat: toolStrategy(z.object({ a: z.string() })) });
    const { messages } = await agent.invoke("Hi");
    return messages.map(textOf).at(-1);
  };
  expect(await messageFor({ a: "b  c" })).toContain('{"a":"b  c"}');
  expect((await messageFor({ a: long }))?.length).toBeLessThan(bound);
});

test("the prompt of retrying() has a part of an endless output", async () => {
  const model = scriptedModel(["{}"]);
  const parser = retrying(jsonParser(), model);
  await collect(pipe(from(["[", ...Array.from({ length: 10 }, () => `"${long}", `), "&"]), parser.final));
  const [prompt = ""] = model.calls.flatMap(({ messages }) => messages.map(textOf));
  expect(prompt.length).toBeLessThan(250_000);
});
