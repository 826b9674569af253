import { collect, createAgent, streamObject } from "millrace";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";

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
