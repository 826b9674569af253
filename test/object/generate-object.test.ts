import { generateObject } from "millrace";
import { expect, test } from "vitest";
import { z } from "zod";
import { answers } from "../agent/support/script.js";

const person = z.object({ name: z.string(), born: z.int() });
const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };

test("the object comes with its message, the tokens of all answers, and the repairs of the last one", async () => {
  const model = answers([
    [{ content: [{ type: "text", text: '{"name": 1,,' }], usage }],
    [{ content: [{ type: "text", text: '{\'name\': "Ada", "born": 1815,}' }], usage }],
  ]);
  const result = await generateObject({ model, schema: person, prompt: "A pioneer." });
  expect(result.object).toEqual({ name: "Ada", born: 1815 });
  expect(result.repairs.map(({ kind }) => kind)).toEqual(["quote", "trailing_comma"]);
  expect(result.usage).toEqual({ inputTokens: 2, outputTokens: 4, totalTokens: 6 });
  expect(result.message).toMatchObject({ role: "assistant", usage });
});

test("elements are returned as a list", async () => {
  const model = answers([['{"elements": [{"name": "Ada", "born": 1815}]}']]);
  const { object } = await generateObject({ model, schema: person, elements: true, prompt: "Pioneers." });
  expect(object).toEqual([{ name: "Ada", born: 1815 }]);
});

test("it rejects an unknown option, and names its own", async () => {
  const options = { model: answers([]), schema: person, prompt: "A pioneer.", output: "array" };
  const generating = generateObject(options);
  await expect(generating).rejects.toThrow(/^generateObject\(\) has no option "output".*elements/);
});

test("it rejects a call without a model", async () => {
  // @ts-expect-error the model is missing
  const generating = generateObject({ schema: person, prompt: "A pioneer." });
  await expect(generating).rejects.toMatchObject({ name: "AgentError", code: "invalid_options" });
});

test("it rejects if the object remains invalid", async () => {
  const model = answers([["no"], ["never"]]);
  const generating = generateObject({ model, schema: person, prompt: "A pioneer.", maxRetries: 1 });
  await expect(generating).rejects.toMatchObject({ code: "no_response" });
});
