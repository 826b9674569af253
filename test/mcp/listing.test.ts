import { createAgent, tool } from "millrace";
import { isDestructive, type ToolInvocation } from "millrace/agent";
import { mcpTools, McpToolsError } from "millrace/mcp";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { toldBy } from "../tools/support.js";
import { clients, connected, definition, listing, WireError, WireServer } from "./support/wire-server.js";

test("a page may have more tools than a call may have arguments", async () => {
  const request = (): Promise<unknown> => Promise.resolve({ tools: new Array(130_000).fill({}) });
  const client = { request, callTool: request, setRequestHandler: () => undefined };
  const { tools, problems } = await mcpTools(client, { maxTools: 130_000 });
  expect([tools.length, problems.length]).toEqual([0, 130_000]);
});

describe.each(clients)("the list of tools, with %s", (_name, create) => {
  const toolsOf = async (
    server: WireServer,
    options?: Parameters<typeof mcpTools>[1],
  ): ReturnType<typeof mcpTools> => mcpTools(await connected(create, server), options);
  const failure = async (server: WireServer, options?: object): Promise<McpToolsError> => {
    const error: unknown = await toolsOf(server, options).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(McpToolsError);
    return error as McpToolsError;
  };

  /** Pages of one tool each. The cursor of the last leads to `next`. */
  const pages = (count: number, next?: string): WireServer =>
    new WireServer({
      "tools/list": ({ params }) => {
        const page = Number(params["cursor"] ?? 0);
        const nextCursor = page + 1 < count ? String(page + 1) : next;
        return { tools: [definition(`tool_${page}`)], ...(nextCursor !== undefined && { nextCursor }) };
      },
    });

  test("is followed to its last page", async () => {
    const { tools, problems } = await toolsOf(pages(5));
    expect(tools.map(({ name }) => name)).toEqual(["tool_0", "tool_1", "tool_2", "tool_3", "tool_4"]);
    expect(problems).toEqual([]);
  });

  test.each([
    ["a cursor comes twice", () => pages(3, "1"), {}],
    ["it has too many pages", () => pages(6), { maxPages: 5 }],
    ["it has too many tools", () => pages(6), { maxTools: 5 }],
    ["it has no tools", () => new WireServer({ "tools/list": () => ({ items: [] }) }), {}],
    ["the server has no such method", () => new WireServer({}), {}],
  ])("is an error if %s", async (_case, server, options) => {
    expect((await failure(server(), options)).code).toBe("listing");
  });

  test("is an error if a page fails, and the message has no paths", async () => {
    const server = new WireServer({
      "tools/list": ({ params }) => {
        if (params["cursor"] !== undefined) throw new WireError(-32603, "Cannot open /srv/app/tools.json");
        return { tools: [definition("first")], nextCursor: "1" };
      },
    });
    const error = await failure(server);
    expect([error.code, error.serverCode]).toEqual(["listing", -32603]);
    expect(error.message).not.toContain("/srv");
  });

  test.each([
    [
      "a type that does not exist",
      { inputSchema: { type: "object", properties: { a: { type: "unknown" } } } },
    ],
    [
      "a reference outside",
      { inputSchema: { type: "object", properties: { a: { $ref: "https://x.org/a" } } } },
    ],
    ["no schema", { inputSchema: undefined }],
    ["a schema that is no object", { inputSchema: true }],
    ["a schema of an array", { inputSchema: { type: "array" } }],
    ["a schema that is too long", { inputSchema: { type: "object", description: "x".repeat(100_001) } }],
    ["a bad output schema", { outputSchema: { type: "object", properties: { a: { $ref: "#/lost" } } } }],
    ["an output schema of another type", { outputSchema: { type: "thing" } }],
    ["a name that is too long", { name: "x".repeat(1_001) }],
    ["no name", { name: "" }],
    ["tasks only", { execution: { taskSupport: "required" } }],
  ])("leaves out a tool with %s, and says so", async (_case, fields) => {
    const { tools, problems } = await toolsOf(
      new WireServer(listing(definition("bad", fields), definition("good"))),
    );
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
    expect(problems.map(({ code }) => code)).toEqual(["left_out"]);
    expect(problems[0]?.message.length).toBeLessThan(800);
  });

  test("leaves out what is no definition at all", async () => {
    const { tools, problems } = await toolsOf(new WireServer({ "tools/list": () => ({ tools: [null, 7] }) }));
    expect([tools, problems.map(({ code }) => code)]).toEqual([[], ["left_out", "left_out"]]);
    for (const { message } of problems) expect(message).toMatch(/Its definition is not an object\.$/);
  });

  test.each([
    ["only a type", { type: "object" }],
    ["no members", { type: "object", properties: {} }],
    [
      "a reference to itself, in draft 7",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: { tree: { $ref: "#/definitions/node" } },
        definitions: { node: { type: "object", properties: { next: { $ref: "#/definitions/node" } } } },
      },
    ],
    [
      "boolean schemas, in draft 2020-12",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { any: true, none: false },
        additionalProperties: true,
      },
    ],
  ])("passes on a schema with %s as it is", async (_case, inputSchema) => {
    const { tools } = await toolsOf(new WireServer(listing(definition("it", { inputSchema }))));
    expect(tools[0]?.parameters).toEqual(inputSchema);
  });

  describe("patterns of a server", () => {
    const slow = "^(a+)+$";
    const parametersOf = async (inputSchema: object): Promise<unknown> => {
      const { tools, problems } = await toolsOf(new WireServer(listing(definition("it", { inputSchema }))));
      expect(problems).toEqual([]);
      return tools[0]?.parameters;
    };

    test.each([
      "^[a-z]+$",
      "^[\\w.-]{1,64}$",
      "^\\d{4}-\\d{2}-\\d{2}$",
      "^#[0-9A-Fa-f]{6}$",
      "^[A-Z]{99}[a-z]{1,2000}[0-9]{99}$",
      "\\S",
      "^\\p{L}*!$",
      "^/",
      "a-z",
    ])("%s is checked", async (pattern) => {
      const inputSchema = {
        type: "object",
        properties: { a: { type: "string", pattern } },
        not: { required: ["b"] },
      };
      expect(await parametersOf(inputSchema)).toEqual(inputSchema);
    });

    test.each([
      slow,
      "^.*.*x$",
      "[a-z]+$",
      "^(?:a|aa)*$",
      "(a*)*b",
      "^\\w{1,9}\\w{1,9}$",
      "^a++$",
      "(?=a*)b",
      "^(a)\\1*$",
      "^" + "a".repeat(400),
      "^a*" + "a{99}".repeat(50) + "b$",
      "a{99}a{99}a{99}a{99}b",
      "(",
    ])("%s, which may take long, is only told to the model", async (pattern) => {
      const described = { type: "string", description: `It matches the regular expression ${pattern}` };
      expect(await parametersOf({ type: "object", properties: { a: { type: "string", pattern } } })).toEqual({
        type: "object",
        properties: { a: described },
      });
    });

    test("nothing is refused because a pattern is gone", async () => {
      const text = { type: "string", pattern: slow };
      const whole = {
        type: "object",
        properties: { a: { oneOf: [text, { const: "a" }], not: text, description: "A.", examples: ["a"] } },
        patternProperties: { [slow]: { type: "number" } },
        additionalProperties: false,
        unevaluatedProperties: false,
        if: { properties: { a: text } },
        then: false,
        default: { pattern: slow },
      };
      expect(await parametersOf(whole)).toEqual({
        type: "object",
        properties: {
          a: {
            anyOf: [
              { type: "string", description: `It matches the regular expression ${slow}` },
              { const: "a" },
            ],
            description: "A.",
            examples: ["a"],
          },
        },
      });
    });

    test("that are no keywords, but where a reference leads, leave out the tool", async () => {
      const inputSchema = {
        type: "object",
        properties: { a: { $ref: "#/shapes/a" } },
        shapes: { a: { type: "string", pattern: slow } },
      };
      const { tools, problems } = await toolsOf(new WireServer(listing(definition("it", { inputSchema }))));
      expect([tools, problems.map(({ code }) => code)]).toEqual([[], ["left_out"]]);
    });

    test("that would take for ever hold up neither the arguments nor the result", async () => {
      const schema = {
        type: "object",
        properties: { a: { type: "string", pattern: slow } },
        required: ["a"],
      };
      const a = `${"a".repeat(100)}!`;
      const server = new WireServer({
        ...listing(definition("it", { inputSchema: schema, outputSchema: schema })),
        "tools/call": () => ({ content: [], structuredContent: { a } }),
      });
      const { tools } = await toolsOf(server);
      const call = { content: [{ type: "tool_call", id: "1", name: "it", args: { a } }] } as const;
      const agent = createAgent({
        model: scriptedModel(({ index }) => (index === 0 ? [call] : ["done"])),
        tools,
      });
      const { messages } = await agent.invoke("Go");
      expect(messages.find(({ role }) => role === "tool")).toMatchObject({
        status: "success",
        artifact: { a },
      });
    });
  });

  test("offers alternatives at the root as one object, and checks the schema of the server", async () => {
    const inputSchema = {
      type: "object",
      properties: { id: { type: "string" } },
      oneOf: [
        { properties: { kind: { const: "a" }, n: { type: "number" } }, required: ["kind", "n"] },
        { properties: { kind: { const: "b" } }, required: ["kind"], not: { required: ["n"] } },
      ],
    };
    const server = new WireServer({
      ...listing(definition("it", { inputSchema })),
      "tools/call": () => ({ content: [{ type: "text", text: "ok" }] }),
    });
    const it = (await toolsOf(server)).tools[0];
    if (it === undefined) throw new Error("The tool is left out.");
    expect(it.parameters).toEqual({
      type: "object",
      properties: {
        id: { type: "string" },
        kind: { anyOf: [{ const: "a" }, { const: "b" }] },
        n: { type: "number" },
      },
    });
    expect(await toldBy(it, { kind: "b" })).toBe("ok");
    expect(await toldBy(it, { kind: "a" })).toContain("do not satisfy the schema");
    expect(server.sent("tools/call")).toHaveLength(1);
  });

  test("gives a tool its description, cut, or its title", async () => {
    const server = new WireServer(
      listing(definition("a", { description: "x".repeat(5_000) }), definition("b", { title: "Bee" })),
    );
    const { tools } = await toolsOf(server);
    expect(tools.map(({ description }) => description?.length)).toEqual([4_001, 3]);
  });

  describe("names", () => {
    const odd = ["files.read", "files/read", "lösche alles", "x".repeat(80), `${"x".repeat(79)}y`];

    test("are safe, different, and do not depend on the order; the server gets its own", async () => {
      const answers = { "tools/call": () => ({ content: [] }) };
      const server = new WireServer({ ...listing(...odd.map((name) => definition(name))), ...answers });
      const { tools } = await toolsOf(server);
      const backwards = new WireServer(listing(...odd.toReversed().map((name) => definition(name))));
      const names = tools.map(({ name }) => name);
      expect((await toolsOf(backwards)).tools.map(({ name }) => name)).toEqual(names.toReversed());
      expect(new Set(names).size).toBe(odd.length);
      for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
      for (const it of tools) await toldBy(it);
      expect(server.sent("tools/call").map((params) => params?.["name"])).toEqual(odd);
    });

    test("of two servers are kept apart by a prefix; without one, the agent says so", async () => {
      const server = (): WireServer => new WireServer(listing(definition("search")));
      const model = scriptedModel(["Hi."]);
      const [a, b] = [await toolsOf(server(), { prefix: "a" }), await toolsOf(server(), { prefix: "b" })];
      const tools = [...a.tools, ...b.tools];
      expect(createAgent({ model, tools }).options.tools?.map(({ name }) => name)).toEqual([
        "a_search",
        "b_search",
      ]);
      const [c, d] = [await toolsOf(server()), await toolsOf(server())];
      expect(() => createAgent({ model, tools: [...c.tools, ...d.tools] })).toThrow('the name "search"');
    });

    test("of a tool of the program are not taken", async () => {
      const { tools } = await toolsOf(new WireServer(listing(definition("search"))));
      const own = tool({ name: "search", run: () => "" });
      expect(() => createAgent({ model: scriptedModel([""]), tools: [own, ...tools] })).toThrow(/"search"/);
    });

    test("that a server lists twice are offered once", async () => {
      const { tools, problems } = await toolsOf(new WireServer(listing(definition("a"), definition("a"))));
      expect([tools.length, problems.map(({ tool: name }) => name)]).toEqual([1, ["a"]]);
    });
  });

  test("has only the tools that are included", async () => {
    const server = (): WireServer =>
      new WireServer(listing(definition("a.b"), definition("c", { name: "c" })));
    expect((await toolsOf(server(), { include: ["a.b"] })).tools).toHaveLength(1);
    expect((await toolsOf(server(), { include: (name) => name !== "x" })).tools).toHaveLength(2);
    const include = (() => Promise.resolve(false)) as never;
    await expect(toolsOf(server(), { include })).rejects.toThrow("returned a promise");
  });

  test("tells what a tool may destroy, as the protocol says without hints", async () => {
    const hints = [
      undefined,
      { readOnlyHint: true },
      { readOnlyHint: true, destructiveHint: true },
      { destructiveHint: false },
      { destructiveHint: "no" },
    ];
    const server = new WireServer(
      listing(...hints.map((annotations, index) => definition(`t${index}`, { annotations }))),
    );
    const { tools } = await toolsOf(server);
    const call: ToolInvocation = { id: "1", name: "", args: {} };
    expect(tools.map((it) => isDestructive(call, it))).toEqual([true, false, false, false, true]);
  });
});

test("a misspelt option is an error", async () => {
  const server = new WireServer(listing());
  const create = clients[0]?.[1];
  if (create === undefined) throw new Error("There is no client.");
  await expect(mcpTools(await connected(create, server), { maxTool: 1 } as object)).rejects.toThrow(
    "maxTools",
  );
});
