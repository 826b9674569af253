import { collect, createAgent } from "millrace";
import { promptStrategy, providerStrategy, toolStrategy } from "millrace/agent";
import { everyWay, type ScriptItem } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { answers, call, ofType } from "../../agent/support/script.js";

const schema = z.object({ rows: z.array(z.array(z.int())), named: z.record(z.string(), z.int()) });
const text = '{"rows": [[1, 2], []], "named": {"0": 7}}';
const items = [
  ["/rows/0/0", 1],
  ["/rows/0/1", 2],
  ["/rows/0", [1, 2]],
  ["/rows/1", []],
];

const whole: ScriptItem = {
  content: [{ type: "tool_call", id: "1", name: "output", args: JSON.parse(text) as never }],
};

test.each([
  ["the text of an answer", providerStrategy(schema), [text]],
  ["a growing call", toolStrategy(schema), call("1", "output", text)],
  ["a whole call", toolStrategy(schema), [whole]],
])("each element of an array is an event when it is complete, in %s", async (_, responseFormat, script) => {
  const agent = createAgent({ model: answers([script]), responseFormat, items: true });
  const events = ofType(await collect(agent.stream("")), "structured_item");
  expect(events.map(({ pointer, value }) => [pointer, value])).toEqual(items);
});

test("the elements are the same for every way to cut the text, and come after their patch", async () => {
  for (const pieces of everyWay(text)) {
    const agent = createAgent({ model: answers([pieces]), responseFormat: schema, items: true });
    const events = await collect(agent.stream(""));
    expect(ofType(events, "structured_item").map(({ pointer }) => pointer)).toEqual(
      items.map(([place]) => place),
    );
    const first = events.findIndex(({ type }) => type === "structured_item");
    expect(events.slice(0, first).some(({ type }) => type === "structured_patch")).toBe(true);
  }
});

test("a member with a number as its key is no element, also in an object that is not shown yet", async () => {
  const hidden = z.object({
    a: z.union([z.record(z.string(), z.int()), z.array(z.int())]).meta({ stream: "whole" }),
  });
  for (const pieces of everyWay('{"a": {"0": 7, "1": 8}}')) {
    const agent = createAgent({ model: answers([pieces]), responseFormat: hidden, items: true });
    expect(ofType(await collect(agent.stream("")), "structured_item")).toEqual([]);
  }
});

test("the elements of a repeated key are the same for every way to cut the text", async () => {
  const open = z.object({ a: z.any() });
  for (const pieces of everyWay('{"a": [1, 2], "a": {"0": 3}}')) {
    const agent = createAgent({ model: answers([pieces]), responseFormat: open, items: true });
    const events = ofType(await collect(agent.stream("")), "structured_item");
    expect(events.map(({ value }) => value)).toEqual([1, 2]);
  }
});

test("without the option, there are no events for elements", async () => {
  const agent = createAgent({ model: answers([[text]]), responseFormat: schema });
  expect(ofType(await collect(agent.stream("")), "structured_item")).toEqual([]);
});

test("promptStrategy() puts the schema after the system prompt, and accepts one of several schemas", async () => {
  const model = answers([["It is:"], ['{"question": "which?"}']]);
  const agent = createAgent({
    model,
    system: "Be brief.",
    responseFormat: promptStrategy([schema, z.object({ question: z.string() })]),
  });
  const { structuredResponse } = await agent.invoke("Go on.");
  expect(structuredResponse).toEqual({ question: "which?" });
  const [first] = model.calls;
  expect(first?.messages.map(({ role }) => role)).toEqual(["system", "system", "user"]);
  expect(JSON.stringify(first?.messages[1])).toContain("question");
  expect(first?.options.responseFormat).toBeUndefined();
  expect(first?.options.tools).toBeUndefined();
});
