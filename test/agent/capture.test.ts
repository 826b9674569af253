import { type AgentEvent, collect, createAgent, from, type MessageChunk, pipe, tool } from "millrace";
import {
  AgentError,
  type AgentResponseFormat,
  capture,
  promptStrategy,
  providerStrategy,
  toolStrategy,
} from "millrace/agent";
import { everyWay, operatorLaws, scriptedModel, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { partialsIn } from "./support/script.js";

const order = z.object({ tea: z.enum(["green", "black"]), tins: z.int() }).meta({ title: "Order" });
const stock = tool({ name: "stock", schema: z.object({ tea: z.string() }), run: ({ tea }) => `${tea}: 3` });
const written = '{"tea": "green", "tins": 3}';
const value = { tea: "green", tins: 3 };

const text = (piece: string): MessageChunk => ({ content: [{ type: "text", text: piece }] });
const args = (piece: string): MessageChunk => ({ content: [{ type: "tool_call_chunk", args: piece }] });
const begin = (name: string, id = "1"): MessageChunk => ({
  content: [{ type: "tool_call_chunk", id, name }],
});

const ways: readonly {
  name: string;
  format: AgentResponseFormat;
  head: MessageChunk[];
  piece: typeof text;
}[] = [
  { name: "text", format: providerStrategy(order), head: [], piece: text },
  { name: "a call", format: toolStrategy(order), head: [begin("Order")], piece: args },
];

const model = scriptedModel([]);

// G-stream-1
describe.each(ways)("capture() of a response that comes as $name", ({ format, head, piece }) => {
  const answer = capture({ model, responseFormat: format });

  test("yields its patches and its checked value, for every cut", async () => {
    for (const pieces of everyWay(written)) {
      const events = await collect(pipe(from([...head, ...pieces.map(piece)]), answer));
      expect(partialsIn(events).at(-1)).toEqual(value);
      expect(events.at(-2)).toEqual({ type: "structured", value, name: "Order" });
      expect(events.at(-1)).toMatchObject({ type: "answer", kind: "response", calls: [] });
    }
  });

  test("yields the same for each iteration of one stream", async () => {
    const events = pipe(from([...head, piece(written)]), answer);
    expect(await collect(events)).toEqual(await collect(events));
  });

  test("yields what an agent yields for the same chunks", async () => {
    const chunks = [...head, ...Array.from(written, piece)];
    const shown = (events: readonly { type: string }[]): unknown[] =>
      JSON.parse(
        JSON.stringify(
          events.filter(({ type }) => /^(?:text|structured|structured_patch|tool_args)$/.test(type)),
        ),
      ) as unknown[];
    const agent = createAgent({ model: scriptedModel(chunks), responseFormat: format });
    const events: AgentEvent[] = await collect(agent.stream("Order tea."));
    expect(shown(await collect(pipe(from(chunks), answer)))).toEqual(shown(events));
  });

  test("stops the model at the first character that no valid response has, and asks again", async () => {
    const chunks = [...head, ...['{"tea": ', '"r', 'ed"', "}"].map(piece)];
    const source = spySource(chunks);
    const events = await collect(pipe(source, answer));
    expect(source.pulls).toBe(head.length + 2);
    const last = events.at(-1);
    expect(last).toMatchObject({ type: "answer", kind: "invalid", error: { code: "invalid_response" } });
    expect(last?.type === "answer" && last.followUp).toHaveLength(1);
    expect(events.find(({ type }) => type === "structured")).toBeUndefined();
  });

  const laws = operatorLaws(() => capture({ model, responseFormat: format }), {
    inputs: [...head, piece('{"tea": "gr'), piece('een", "ti'), piece('ns": 3}')],
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});

describe("capture()", () => {
  test("reports calls of tools when they are complete, before the model ends", async () => {
    const answer = capture({ model, tools: [stock], responseFormat: toolStrategy(order) });
    const chunks = [begin("stock"), args('{"tea":'), args('"green"}'), begin("stock", "2"), args("{")];
    const events = await collect(pipe(from(chunks), answer));
    const types = events.map(({ type }) => type);
    expect(types.indexOf("call_ended")).toBeLessThan(types.lastIndexOf("tool_args"));
    expect(events.at(-1)).toMatchObject({
      kind: "tool_calls",
      calls: [
        { type: "tool_call", id: "1", args: { tea: "green" } },
        { type: "invalid_tool_call", id: "2" },
      ],
      followUp: [],
    });
  });

  test("reports the coercions of a response that was not coerced while it streamed", async () => {
    const answer = capture({ model, responseFormat: providerStrategy(order), failFast: false });
    const events = await collect(pipe(from([text('{"tea": "green", "tins": "3"}')]), answer));
    expect(events.at(-2)).toMatchObject({
      type: "structured",
      value,
      coercions: [{ pointer: "/tins" }],
    });
  });

  test("has the options with which the model is asked", () => {
    const asked = capture({ model, tools: [stock], responseFormat: toolStrategy([order, z.object({})]) });
    expect(asked.callOptions).toMatchObject({ tools: [{ name: "stock" }, { name: "Order" }, {}] });
    const enforced = capture({ model, responseFormat: providerStrategy(order) });
    expect(enforced.callOptions).toMatchObject({ responseFormat: { name: "Order" } });
    expect(capture({ model }).callOptions).toEqual({});
    expect(capture({ model }).instructions).toBeUndefined();
    expect(capture({ model, responseFormat: promptStrategy(order) }).instructions).toContain(
      '"tins":{"type"',
    );
    const types = capture({ model, responseFormat: promptStrategy(order, { instructions: "types" }) });
    expect(types.instructions).toContain("type Order = {");
    expect(() => promptStrategy(order, { instructions: "yaml" as never })).toThrow(TypeError);
  });

  test("without a response format, tells a text from calls", async () => {
    const events = await collect(pipe(from([text("Hi")]), capture({ model })));
    expect(events.at(-1)).toMatchObject({ type: "answer", kind: "text", calls: [], followUp: [] });
  });

  test("answers a valid call with the tool message of an agent", async () => {
    const answer = capture({ model, responseFormat: toolStrategy(order, { toolMessageContent: "Done." }) });
    const events = await collect(pipe(from([begin("Order"), args(written)]), answer));
    expect(events.at(-1)).toMatchObject({
      followUp: [{ role: "tool", toolCallId: "1", content: [{ text: "Done." }] }],
    });
  });

  test("throws the error that handleError does not handle, and that of an empty answer", async () => {
    const strict = capture({ model, responseFormat: toolStrategy(order, { handleError: false }) });
    const failed = collect(pipe(from([begin("Order"), args('{"tea": "red"}')]), strict));
    await expect(failed).rejects.toMatchObject({ code: "invalid_response" });
    await expect(collect(pipe(from<MessageChunk>([]), strict))).rejects.toMatchObject({ code: "empty" });
  });

  test("refuses two tools with one name", () => {
    expect(() => capture({ model, tools: [stock, stock] })).toThrow(AgentError);
  });
});
