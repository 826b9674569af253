import { collect, createAgent, pipe, streamObject, tool } from "millrace";
import { capture } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { partialsIn } from "./support/script.js";

const schema = z.object({ city: z.string() });
const answer = ['Maybe {"city": "Bergen"}? No.', "\n</thi", 'nk>\n{"city": "Os', 'lo"}'];
const profile = { toolCalling: false, structuredOutput: true, openThinking: true };

test("streamObject() skips the thinking that the prompt opened, if the profile says so", async () => {
  const object = streamObject({ model: scriptedModel(answer, { profile }), schema, prompt: "Where?" });
  const shown = await collect(object);
  expect(shown.every(({ city }) => city === undefined || "Oslo".startsWith(city))).toBe(true);
  expect(await object.final).toEqual({ city: "Oslo" });
});

test("an agent skips it, too", async () => {
  const agent = createAgent({ model: scriptedModel(answer, { profile }), responseFormat: schema });
  expect((await agent.invoke("Where?")).structuredResponse).toEqual({ city: "Oslo" });
});

test("capture() skips it, too", async () => {
  const model = scriptedModel(answer, { profile });
  const place = capture({ model, responseFormat: schema });
  const events = await collect(pipe(model.stream("Where?", place.callOptions), place));
  expect(partialsIn(events)).toEqual([{ city: "Os" }, { city: "Oslo" }]);
  expect(events.at(-1)).toMatchObject({ type: "answer", kind: "response" });
});

test("text after a block of reasoning is not thinking, because the server separates it", async () => {
  const separated = [
    { content: [{ type: "reasoning", reasoning: 'Maybe {"city": "Bergen"}?' } as const] },
    ...['Here: {"city": "Os', 'lo"}'],
  ];
  const object = streamObject({ model: scriptedModel(separated, { profile }), schema, prompt: "Where?" });
  expect(await collect(object)).toEqual([{ city: "Os" }, { city: "Oslo" }]);
});

test("an agent runs no call that the model writes as text in the thinking", async () => {
  const ran: string[] = [];
  const look = tool({
    name: "look",
    description: "Looks.",
    schema,
    run: ({ city }) => {
      ran.push(city);
      return "cold";
    },
  });
  const call = (city: string): string =>
    `<tool_call>\n{"name": "look", "arguments": {"city": "${city}"}}\n</tool_call>`;
  const thinks = [`Maybe\n${call("Bergen")}\n</think>\n${call("Oslo")}`];
  const answers = ["Hm.</think>Cold."];
  const model = scriptedModel(() => (ran.length === 0 ? thinks : answers), { profile });
  await createAgent({ model, tools: [look], textToolCalls: "hermes" }).invoke("How is it?");
  expect(ran).toEqual(["Oslo"]);
});
