import { type } from "arktype";
import * as v from "valibot";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { describe, expect, test } from "vitest";
import { createAgent, textOf, tool } from "millrace";
import { type AgentResponseFormat, providerStrategy, toolStrategy } from "millrace/agent";
import type { SchemaInput } from "millrace/schema";
import { z } from "zod";
import {
  allFakes,
  anthropicMessages,
  fakeServer,
  ollamaChat,
  openAIChat,
} from "../../../models/support/fakes.js";
import type { Fields } from "../../../models/support/refusals.js";
import { thrownBy } from "../../../prompts/thrown-by.js";

const contact = z.object({ name: z.string() }).meta({ title: "Contact" });
/** Each of its values also matches the first schema, which drops unknown members. */
const person = z.object({ name: z.string(), email: z.string() }).meta({ title: "Person" });
const ada = { name: "Ada", email: "ada@x.example" };

const json = {
  $defs: {
    Contact: {
      title: "Contact",
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    },
    Person: {
      title: "Person",
      type: "object",
      properties: { name: { type: "string" }, email: { type: "string" } },
      required: ["name", "email"],
    },
  },
  members: [{ $ref: "#/$defs/Contact" }, { $ref: "#/$defs/Person" }],
};

/** The values of `oneOf` match one member alone. */
const exclusive = {
  $defs: { ...json.$defs, Contact: { ...json.$defs.Contact, additionalProperties: false } },
  oneOf: json.members,
};

const unions: readonly [string, AgentResponseFormat][] = [
  ["a bare union", z.union([contact, person])],
  ["toolStrategy of a union", toolStrategy(z.union([contact, person]))],
  ["an array of schemas", [contact, person]],
  ["an array with a union", [z.union([contact, person])]],
  ["a union in a union", z.union([contact, z.union([person])])],
  ["the oneOf of a JSON Schema", exclusive],
  ["the anyOf of a JSON Schema", { $defs: json.$defs, type: "object", anyOf: json.members }],
];

describe.each(allFakes)("on $name", (fake) => {
  test.each(unions)(
    "%s is sent as one tool for each member, and keeps the value of its member",
    async (_, format) => {
      const server = await fakeServer(fake, fake.calls({ name: "Person", args: [JSON.stringify(ada)] }));
      const agent = createAgent({ model: fake.model(server), responseFormat: format });
      expect((await agent.invoke("Who is it?")).structuredResponse).toEqual(ada);
      expect(server.requests.map(({ body }) => fake.toolsIn(body as Fields))).toEqual([
        ["Contact", "Person"],
      ]);
    },
  );
});

interface Tree {
  readonly leaves: readonly (Tree | { readonly leaf: string })[];
}
const leaf = z.object({ leaf: z.string() }).meta({ title: "Leaf" });
const tree: z.ZodType<Tree> = z
  .object({
    get leaves() {
      return z.array(z.union([tree, leaf]));
    },
  })
  .meta({ title: "Tree" });

describe.each([openAIChat, anthropicMessages])("a union on $name", (fake) => {
  const shapes = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("circle"), r: z.number() }),
    z.object({ kind: z.literal("square"), side: z.number().default(1) }),
  ]);
  const kinds: readonly [string, SchemaInput, string[], object, object][] = [
    [
      "without titles is named after the constants of its members",
      shapes,
      ["circle", "square"],
      { kind: "square" },
      { kind: "square", side: 1 },
    ],
    [
      "with a refinement is validated as a whole",
      z.union([contact, person]).refine(({ name }) => name !== "Eve", "not Eve"),
      ["Contact", "Person"],
      { name: "Ada" },
      { name: "Ada" },
    ],
    [
      "of Valibot",
      toStandardJsonSchema(v.union([v.object({ a: v.string() }), v.object({ b: v.string() })])),
      ["output", "output_2"],
      { b: "2" },
      { b: "2" },
    ],
    ["of ArkType", type({ a: "string" }).or({ b: "string" }), ["output", "output_2"], { b: "2" }, { b: "2" }],
    [
      "that refers to itself",
      z.union([leaf, tree]),
      ["Leaf", "Tree"],
      { leaves: [{ leaf: "a" }, { leaves: [] }] },
      { leaves: [{ leaf: "a" }, { leaves: [] }] },
    ],
    [
      "whose members refer to its root",
      {
        anyOf: [
          { title: "Leaf", type: "object", properties: { leaf: { type: "string" } }, required: ["leaf"] },
          {
            title: "Tree",
            type: "object",
            properties: { leaves: { type: "array", items: { $ref: "#" } } },
            required: ["leaves"],
          },
        ],
      },
      ["Leaf", "Tree"],
      { leaves: [{ leaf: "a" }, { leaves: [] }] },
      { leaves: [{ leaf: "a" }, { leaves: [] }] },
    ],
  ];
  test.each(kinds)("%s", async (_, schema, names, args, value) => {
    const name = names.at(-1) as string;
    const called = name === "Person" ? "Contact" : name;
    const server = await fakeServer(fake, fake.calls({ name: called, args: [JSON.stringify(args)] }));
    const agent = createAgent({ model: fake.model(server), responseFormat: schema });
    expect((await agent.invoke("Which one?")).structuredResponse).toEqual(value);
    expect(server.requests.map(({ body }) => fake.toolsIn(body as Fields))).toEqual([names]);
  });

  test("checks each member while it streams", async () => {
    const server = await fakeServer(
      fake,
      fake.calls({ name: "square", args: ['{"kind":"square",', '"side":"', "not", ' a number"}'] }),
      fake.calls({ id: "c2", name: "circle", args: ['{"kind":"circle","r":2}'] }),
    );
    const agent = createAgent({ model: fake.model(server), responseFormat: shapes });
    expect((await agent.invoke("Which one?")).structuredResponse).toEqual({ kind: "circle", r: 2 });
  });

  test("with a member that is no object is refused at construction", async () => {
    const server = await fakeServer(fake, fake.says("never requested"));
    const responseFormat = z.union([contact, z.string()]);
    expect(thrownBy(() => createAgent({ model: fake.model(server), responseFormat }))).toMatchObject({
      name: "AgentError",
      code: "invalid_options",
    });
  });
});

describe.each(allFakes)("an intersection on $name", (fake) => {
  const both = z.intersection(contact, z.object({ email: z.string() })).meta({ title: "Both" });

  test("is sent as one object, as a tool and as the response", async () => {
    const args = [JSON.stringify(ada)];
    const server = await fakeServer(
      fake,
      fake.calls({ name: "save", args }),
      fake.calls({ id: "c2", name: "Both", args }),
    );
    const save = tool({ name: "save", schema: both, run: ({ email }) => email });
    const agent = createAgent({
      model: fake.model(server),
      tools: [save],
      responseFormat: toolStrategy(both),
    });
    const { structuredResponse, messages } = await agent.invoke("Save Ada.");
    expect(structuredResponse).toEqual(ada);
    expect(messages.some((message) => message.role === "tool" && textOf(message) === ada.email)).toBe(true);
  });
});

test("a finished run with a member of a union can be resumed", async () => {
  const server = await fakeServer(
    openAIChat,
    openAIChat.calls({ name: "Person", args: [JSON.stringify(ada)] }),
  );
  const agent = createAgent({ model: openAIChat.model(server), responseFormat: z.union([contact, person]) });
  const { state } = await agent.invoke("Who is it?");
  expect((await agent.invoke({ resume: state })).structuredResponse).toEqual(ada);
});

test("a finished run can be resumed with a model that is asked in the other way", async () => {
  const [first, second] = [
    await fakeServer(ollamaChat, ollamaChat.says(JSON.stringify(ada))),
    await fakeServer(openAIChat, openAIChat.says("never requested")),
  ];
  const responseFormat = z.union([contact, person]).meta({ title: "Who" });
  const asText = createAgent({ model: ollamaChat.model(first, { model: "phi4" }), responseFormat });
  const { state, structuredResponse } = await asText.invoke("Who is it?");
  const asTool = createAgent({ model: openAIChat.model(second), responseFormat });
  expect((await asTool.invoke({ resume: state })).structuredResponse).toEqual(structuredResponse);
});

test("a finished run with an array, which cannot be a tool, can be resumed", async () => {
  const server = await fakeServer(ollamaChat, ollamaChat.says(JSON.stringify(["Ada"])));
  const agent = createAgent({ model: ollamaChat.model(server), responseFormat: z.array(z.string()) });
  const { state } = await agent.invoke("Who is it?");
  expect((await agent.invoke({ resume: state })).structuredResponse).toEqual(["Ada"]);
});

test("a model without tools gets the union as one schema", async () => {
  const server = await fakeServer(ollamaChat, ollamaChat.says(JSON.stringify(ada)));
  const model = ollamaChat.model(server, { model: "phi4" });
  const agent = createAgent({ model, responseFormat: z.union([person, contact]) });
  expect((await agent.invoke("Who is it?")).structuredResponse).toEqual(ada);
  expect(server.requests.map(({ body }) => ollamaChat.hasFormat(body as Fields))).toEqual([true]);
});

test("providerStrategy of a union without a fallback is refused before it is sent to OpenAI", async () => {
  const server = await fakeServer(openAIChat, openAIChat.says("never requested"));
  const model = openAIChat.model(server);
  const responseFormat = providerStrategy(z.union([contact, person]), { fallback: false });
  const agent = createAgent({ model, responseFormat });
  await expect(agent.invoke("Who is it?")).rejects.toMatchObject({ code: "invalid_request" });
  expect(server.requests).toEqual([]);
});
