import { describe, expect, test } from "vitest";
import { delta, finish, stream } from "../../../models/support/server.js";
import { modelAt, serving } from "../../../models/support/models.js";
import { createAgent, last, OutputParserError, pipe, toolCallsParser } from "millrace";
import { promptStrategy, providerStrategy, toolStrategy } from "millrace/agent";
import { z } from "zod";
import { anthropicMessages, fakeServer, gemini25, openAIChat, vllm } from "../../../models/support/fakes.js";

const schema = z.object({ city: z.string(), celsius: z.number() }).meta({ title: "Report" });
/** Gemini, for example, closes the arguments of a call that reaches the limit. */
const closed = { name: "Report", args: ['{"city":', '"Oslo"}'], finishReason: "length" } as const;

describe.each([openAIChat, anthropicMessages, gemini25, vllm])(
  "a closed call at the token limit of $name",
  (fake) => {
    test("is reported with the limit by toolCallsParser()", async () => {
      const server = await fakeServer(fake, fake.calls(closed));
      const model = fake.model(server);
      const parser = toolCallsParser({ tools: [{ name: "Report", schema }] });
      const failed: unknown = await last(pipe(model.stream("Hi"), parser.final)).catch(
        (error: unknown) => error,
      );
      const expected = { code: "schema", finishReason: "length", issues: [{ pointer: "/celsius" }] };
      expect(failed).toMatchObject(expected);
      expect((failed as Error).message).toContain("maxTokens");
      const message = await model.invoke("Hi");
      try {
        parser.parse(message);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(OutputParserError);
        expect(error).toMatchObject(expected);
        expect((error as Error).message.match(/maxTokens/g)).toHaveLength(1);
      }
    });

    test("is reported with the limit by an agent", async () => {
      const server = await fakeServer(fake, fake.calls(closed));
      const responseFormat = toolStrategy(schema, { handleError: false });
      const agent = createAgent({ model: fake.model(server), responseFormat, failFast: false });
      await expect(agent.invoke("Hi")).rejects.toMatchObject({
        code: "invalid_response",
        finishReason: "length",
        message: expect.stringContaining("maxTokens") as string,
      });
    });

    test("is valid if it satisfies the schema", async () => {
      const whole = { ...closed, args: ['{"city":"Oslo","celsius":', "-4}"] };
      const server = await fakeServer(fake, fake.calls(whole));
      const agent = createAgent({ model: fake.model(server), responseFormat: toolStrategy(schema) });
      expect((await agent.invoke("Hi")).structuredResponse).toEqual({ city: "Oslo", celsius: -4 });
    });
  },
);

describe("an answer that ends at the token limit before the response", () => {
  const limits = ["length", "LENGTH", "max_tokens", "MAX_TOKENS", "model_length"];
  const strategies = [
    ["toolStrategy()", toolStrategy(schema)],
    ["providerStrategy()", providerStrategy(schema)],
    ["promptStrategy()", promptStrategy(schema)],
  ] as const;

  // The first two could pass for whole JSON documents.
  const texts = ['""', "The list [1, 2] means", "I think", '{"city": "Os', ""];

  test.each(strategies)("is truncated with %s, and is not asked for again", async (_, responseFormat) => {
    for (const limit of limits) {
      for (const text of texts) {
        const server = await serving(stream(delta({ content: text }), finish(limit)));
        const agent = createAgent({ model: modelAt(server), responseFormat, failFast: false });
        await expect(agent.invoke("Hi")).rejects.toMatchObject({
          name: "AgentError",
          code: "truncated",
          finishReason: "length",
          state: { step: 1 },
        });
        expect(server.requests).toHaveLength(1);
      }
    }
  });

  test.each(strategies)("is the response with %s if it is complete", async (_, responseFormat) => {
    const text = '{"city": "Oslo", "celsius": -4}';
    const server = await serving(stream(delta({ content: text }), finish("MAX_TOKENS")));
    const agent = createAgent({ model: modelAt(server), responseFormat });
    expect((await agent.invoke("Hi")).structuredResponse).toEqual({ city: "Oslo", celsius: -4 });
  });
});
