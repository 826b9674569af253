import { describe, expect, test } from "vitest";
import { createAgent, textOf } from "millrace";
import { AgentError, type HandleError, providerStrategy, toolStrategy } from "millrace/agent";
import { JsonParseError } from "millrace/json";
import { SchemaViolation } from "millrace/schema";
import { z } from "zod";
import { anthropicMessages, fakeServer, openAIChat } from "../../../models/support/fakes.js";
import { thrownBy } from "../../../prompts/thrown-by.js";

class Unknown extends RangeError {}

const link = z
  .object({
    url: z.string().transform((text) => new URL(text).href),
    stars: z.int().max(5),
    city: z.string().refine((name) => {
      if (name === "Atlantis") throw new Unknown("There is no Atlantis.");
      return true;
    }),
  })
  .meta({ title: "Link" });
const good = { url: "https://x.example/", stars: 5, city: "Oslo" };

/** What the model writes, and the class of the error or of a cause of it. */
const faults: readonly [string, string][] = [
  ["outside of the schema", '{"url":"https://x.example","stars":9,"city":"Oslo"}'],
  ["not JSON", "The best one!"],
  ["refused by a transform that throws", '{"url":"no address","stars":5,"city":"Oslo"}'],
  ["refused by a refinement that throws", '{"url":"https://x.example","stars":5,"city":"Atlantis"}'],
];
const classes: readonly [string, readonly boolean[], HandleError][] = [
  ["AgentError", [true, true, true, true], AgentError],
  ["Error", [true, true, true, true], Error],
  ["SchemaViolation", [true, false, false, false], SchemaViolation],
  ["JsonParseError", [false, true, false, false], JsonParseError],
  ["TypeError", [false, false, true, false], TypeError],
  ["RangeError and its own classes", [false, false, false, true], RangeError],
  ["an array of classes", [true, false, false, true], [SchemaViolation, Unknown]],
  ["an empty array", [false, false, false, false], []],
];

describe.each([openAIChat, anthropicMessages])("over HTTP with $name", (fake) => {
  const cases = classes.flatMap(([name, handled, handleError]) =>
    faults.map(([fault, args], i) => ({ name, fault, args, handled: handled[i] === true, handleError })),
  );
  test.each(cases)("handleError: $name, a response that is $fault: asks again is $handled", async (it) => {
    const server = await fakeServer(
      fake,
      fake.calls({ name: "Link", args: [it.args] }),
      fake.calls({ id: "c2", name: "Link", args: [JSON.stringify(good)] }),
    );
    const format = toolStrategy(link, { handleError: it.handleError });
    const run = createAgent({ model: fake.model(server), responseFormat: format }).invoke("Which one?");
    if (it.handled) expect((await run).structuredResponse).toEqual(good);
    else await expect(run).rejects.toMatchObject({ name: "AgentError", code: "invalid_response" });
    expect(server.requests).toHaveLength(it.handled ? 2 : 1);
  });

  test("a handler that returns no text ends the run with an error that says so", async () => {
    const server = await fakeServer(fake, fake.calls({ name: "Link", args: ["{}"] }));
    const nothing = (() => undefined) as unknown as HandleError;
    const responseFormat = toolStrategy(link, { handleError: nothing });
    const agent = createAgent({ model: fake.model(server), responseFormat });
    await expect(agent.invoke("Which one?")).rejects.toMatchObject({
      name: "AgentError",
      code: "invalid_options",
      message: expect.stringContaining("handleError") as string,
    });
  });

  test("a check that throws is reported to the model without details of the server", async () => {
    const server = await fakeServer(
      fake,
      fake.calls({ name: "Link", args: [faults[3]?.[1] ?? ""] }),
      fake.calls({ id: "c2", name: "Link", args: [JSON.stringify(good)] }),
    );
    const agent = createAgent({ model: fake.model(server), responseFormat: toolStrategy(link) });
    const { messages } = await agent.invoke("Which one?");
    const told = messages.find(({ role }) => role === "tool");
    expect(told && textOf(told)).toContain("There is no Atlantis.");
    expect(told && textOf(told)).not.toContain("handle-error.test");
  });
});

describe("misuse is refused when the strategy is made:", () => {
  const options: readonly [string, object][] = [
    ["toolMessageContent is a function", { toolMessageContent: () => "Done." }],
    ["toolMessageContent is null", { toolMessageContent: null }],
    ["handleError is a number", { handleError: 3 }],
    ["handleError is null", { handleError: null }],
    ["handleError is an array of names", { handleError: ["RangeError"] }],
    ["handleError is an array of functions", { handleError: [() => "again"] }],
    ["handleError is an error", { handleError: new RangeError("x") }],
  ];
  test.each(options)("%s", (_, wrong) => {
    const name = Object.keys(wrong)[0] as string;
    const refused = {
      name: "AgentError",
      code: "invalid_options",
      message: expect.stringContaining(name) as string,
    };
    expect(thrownBy(() => toolStrategy(link, wrong))).toMatchObject(refused);
    if (name === "handleError") expect(thrownBy(() => providerStrategy(link, wrong))).toMatchObject(refused);
  });
});
