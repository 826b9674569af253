import { describe, expect, test } from "vitest";
import { collect, createAgent, last, pipe, textOf, tool, toolCallsParser } from "millrace";
import type { SchemaInput } from "millrace/schema";
import { z } from "zod";
import {
  anthropicMessages,
  fakeServer,
  gemini25,
  openAIChat,
  openAIResponses,
  vllm,
} from "../../../models/support/fakes.js";

const schema = z.object({
  city: z.string(),
  n: z.int().default(10),
  unit: z.enum(["C", "F"]).optional(),
  note: z.string().nullable(),
  at: z.object({ zip: z.string().optional() }).optional(),
});
const json = {
  type: "object",
  properties: { city: { type: "string" }, unit: { enum: ["C", "F"] } },
  required: ["city"],
  additionalProperties: false,
};

/** A model in strict mode writes null for everything that is absent. */
const written = '{"city":"Oslo","n":null,"unit":null,"note":null,"at":{"zip":null}}';
const meant = { city: "Oslo", n: 10, note: null, at: {} };

describe.each([openAIChat, openAIResponses, anthropicMessages, gemini25, vllm])(
  "a strict tool on $name",
  (fake) => {
    const asked = async (it: ReturnType<typeof tool>, args: string): Promise<string> => {
      const server = await fakeServer(fake, fake.calls({ name: "look", args: [args] }), fake.says("Done."));
      const { messages } = await createAgent({ model: fake.model(server), tools: [it] }).invoke("Look.");
      const answer = messages.find(({ role }) => role === "tool");
      return answer === undefined ? "no answer" : textOf(answer);
    };
    const look = (input: SchemaInput, strict?: boolean): ReturnType<typeof tool> =>
      tool({ name: "look", schema: input, ...(strict && { strict }), run: (args: unknown) => args }) as never;

    test("gets the defaults, and the absence of what is optional, for null", async () => {
      expect(JSON.parse(await asked(look(schema, true), written))).toEqual(meant);
    });

    test("in JSON Schema does so too", async () => {
      expect(await asked(look(json, true), '{"city":"Oslo","unit":null}')).toBe('{"city":"Oslo"}');
    });

    test("does so as a copy of a tool that is not strict", async () => {
      expect(JSON.parse(await asked({ ...look(schema), strict: true } as never, written))).toEqual(meant);
    });

    test("does so beside injected arguments", async () => {
      const it = tool({
        name: "look",
        schema: z.object({ city: z.string(), n: z.int().default(10), user: z.string() }),
        strict: true,
        inject: { user: () => "Ann" },
        run: (args) => args,
      });
      expect(await asked(it as never, '{"city":"Oslo","n":null}')).toBe(
        '{"city":"Oslo","n":10,"user":"Ann"}',
      );
    });

    test("still refuses a null that the schema requires as a value", async () => {
      expect(
        await asked(look(schema, true), '{"city":null,"n":null,"unit":null,"note":null,"at":null}'),
      ).toMatch(/\/city/);
    });

    test("that is not strict gets them by coercion, but no null for a required argument", async () => {
      expect(JSON.parse(await asked(look(schema), written))).toEqual(meant);
      expect(await asked(look(schema), '{"city":null,"note":null}')).toMatch(/\/city/);
    });

    test("has the same arguments in toolCallsParser()", async () => {
      const server = await fakeServer(fake, fake.calls({ name: "look", args: [written] }));
      const parser = toolCallsParser({ tools: [{ name: "look", schema, strict: true }] });
      expect(await last(pipe(fake.model(server).stream("Look."), parser.final))).toEqual([
        { name: "look", args: meant },
      ]);
      const lax = toolCallsParser({ tools: [{ name: "look", schema }], coerce: false });
      await expect(collect(pipe(fake.model(server).stream("Look."), lax.final))).rejects.toMatchObject({
        code: "schema",
      });
    });
  },
);
