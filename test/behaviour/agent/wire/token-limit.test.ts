import { describe, expect, test } from "vitest";
import { createAgent, last, OutputParserError, pipe, toolCallsParser, toolStrategy } from "millrace";
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
