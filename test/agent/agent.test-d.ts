import { type AgentEvent, createAgent, type JsonPatch, type JsonValue } from "millrace";
import {
  AgentError,
  agentTool,
  humanApproval,
  logging,
  type Middleware,
  providerStrategy,
  toolStrategy,
} from "millrace/agent";
import type { DeepPartial } from "millrace/json";
import { scriptedModel } from "millrace/testing";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const model = scriptedModel([]);
const person = z.object({ name: z.string(), born: z.string().transform((text) => new Date(text)) });
const event = z.object({ event: z.string() });
interface Person {
  name: string;
  born: Date;
}
interface Written {
  name: string;
  born: string;
}

test("the response has the type of its schema in each kind of format", async () => {
  const one = createAgent({ model, responseFormat: person });
  expectTypeOf((await one.invoke("")).structuredResponse).toEqualTypeOf<Person>();
  expectTypeOf(one.partials("")).toEqualTypeOf<AsyncIterable<DeepPartial<Written>>>();
  expectTypeOf(one.patches("")).toEqualTypeOf<AsyncIterable<JsonPatch>>();
  expectTypeOf(one.stream("")).toEqualTypeOf<AsyncIterable<AgentEvent<Person>>>();

  const several = createAgent({ model, responseFormat: [person, event] });
  expectTypeOf((await several.invoke("")).structuredResponse).toEqualTypeOf<Person | { event: string }>();

  const byTool = createAgent({ model, responseFormat: toolStrategy(person, { handleError: "again" }) });
  expectTypeOf((await byTool.invoke("")).structuredResponse).toEqualTypeOf<Person>();

  const byTools = createAgent({ model, responseFormat: toolStrategy([person, event]) });
  expectTypeOf((await byTools.invoke("")).structuredResponse).toEqualTypeOf<Person | { event: string }>();

  const byProvider = createAgent({ model, responseFormat: providerStrategy(event, { strict: true }) });
  expectTypeOf((await byProvider.invoke("")).structuredResponse).toEqualTypeOf<{ event: string }>();

  const json = createAgent({ model, responseFormat: { type: "object", properties: {} } });
  expectTypeOf((await json.invoke("")).structuredResponse).toEqualTypeOf<JsonValue>();

  const maybe = createAgent({ model, responseFormat: Math.random() < 0.5 ? event : undefined });
  expectTypeOf((await maybe.invoke("")).structuredResponse).toEqualTypeOf<{ event: string } | undefined>();

  expectTypeOf(agentTool(maybe, { name: "event" }).invoke("")).resolves.toEqualTypeOf<
    { event: string } | string
  >();

  const none = createAgent({ model });
  expectTypeOf((await none.invoke("")).structuredResponse).toEqualTypeOf<undefined>();
  expectTypeOf(none.partials("")).toEqualTypeOf<AsyncIterable<never>>();
});

test("handleError is typed", () => {
  toolStrategy(person, { handleError: RangeError });
  toolStrategy(person, { handleError: [RangeError, AgentError] });
  providerStrategy(person, { handleError: (error) => error.code });
  toolStrategy(person, { handleError: async ({ message }) => message });
  // @ts-expect-error: a handler returns the text for the model
  toolStrategy(person, { handleError: () => {} });
  // @ts-expect-error: the class is not one of errors
  toolStrategy(person, { handleError: Map });
  // @ts-expect-error: the text does not depend on the response
  toolStrategy(person, { toolMessageContent: () => "Done." });
});

test("the context of a run has the type of its schema", () => {
  const agent = createAgent({
    model,
    contextSchema: z.object({ user: z.string() }),
    middleware: [
      {
        beforeStep: (_state, { context }) => {
          expectTypeOf(context).toEqualTypeOf<{ user: string }>();
          return undefined;
        },
      },
    ],
  });
  const forAny = [logging({ log: () => {} })];
  createAgent({
    model,
    contextSchema: z.object({ user: z.string() }),
    middleware: [...forAny, humanApproval()],
  });
  const forUsers: Middleware<{ user: string }> = { aroundModel: (call, next) => next(call) };
  createAgent({ model, contextSchema: z.object({ user: z.string() }), middleware: [forUsers] });
  // @ts-expect-error: the agent has no such context
  createAgent({ model, contextSchema: z.object({ id: z.number() }), middleware: [forUsers] });
  agent.stream("", { context: { user: "ada" } });
  // @ts-expect-error: no such context
  agent.stream("", { context: { user: 1 } });

  const read = createAgent({
    model,
    contextSchema: z.object({ id: z.string().transform(Number), lang: z.string().default("en") }),
    middleware: [
      {
        beforeStep: (_state, { context }) => {
          expectTypeOf(context).toEqualTypeOf<{ id: number; lang: string }>();
          return undefined;
        },
      },
    ],
  });
  // The caller passes what the schema reads.
  read.stream("", { context: { id: "1" } });
});
