import { generateObject } from "millrace";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allFakes, fakeServer, openAIChat, openAIResponses } from "../../models/support/fakes.js";
import type { Fields, Refusal } from "../../models/support/refusals.js";

describe.each(allFakes)("$name", (fake) => {
  test("takes a string with two checks, and the guard enforces both", async () => {
    const schema = z.object({ code: z.string().startsWith("a").endsWith("b").max(9).min(2) });
    const say = (code: string) =>
      fake.hasFormat(body)
        ? fake.says(JSON.stringify({ code }))
        : fake.calls({ name: "output", args: [JSON.stringify({ code })] });
    let body: Fields = {};
    const server = await fakeServer(fake, (response, request, index) => {
      body = request.body as Fields;
      return say(index === 0 ? "ac" : "acb")(response, request, index);
    });
    const { object } = await generateObject({ model: fake.model(server), schema, prompt: "A code." });
    expect(object).toEqual({ code: "acb" });
    expect(server.requests).toHaveLength(2);
  });
});

describe.each([openAIChat, openAIResponses])("$name with strict: false", (fake) => {
  const refuse = (body: Fields): Refusal | undefined => {
    if (!JSON.stringify(body).includes('"propertyNames":')) return undefined;
    const message = "Invalid schema for function 'count': In context=(), 'propertyNames' is not permitted.";
    return { status: 400, body: { error: { message } } };
  };

  test("takes a record", async () => {
    const server = await fakeServer({ ...fake, refuse }, fake.says("Hello"));
    for (const keys of [z.string(), z.string().regex(/^a/)]) {
      const parameters = z.toJSONSchema(z.object({ counts: z.record(keys, z.int()) })) as Fields;
      const tools = [{ name: "count", parameters: parameters as Record<string, never> }];
      await fake.model(server).invoke("Hi", { tools });
      const responseFormat = { name: "count", schema: tools[0]!.parameters, strict: false };
      await fake.model(server).invoke("Hi", { responseFormat });
    }
    expect(server.requests).toHaveLength(4);
  });
});
