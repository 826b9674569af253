import { createAgent, type Message, type MessagesInput, streamObject, tool } from "millrace";
import { toolStrategy } from "millrace/agent";
import { openai, type OpenAIOptions } from "millrace/openai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  anthropicMessages,
  type Fake,
  fakeServer,
  gemini25,
  gemini3,
  openAIChat,
  openAIResponses,
  vllm,
} from "../../models/support/fakes.js";
import { outcomeOf, serving } from "../../models/support/models.js";
import { type Fields, fieldsIn, listIn, type Refusal } from "../../models/support/refusals.js";
import { content, delta, finish, stream } from "../../models/support/server.js";

/** Ids of calls as other providers make them: Anthropic, Kimi, Gemini by a gateway. */
const foreignIds = [
  "toolu_01A09q90qw90lq917835lq9",
  "functions.weather:0",
  "functions_weather_0",
  "call.1",
  "call:1",
  "",
  `call_${"x".repeat(40)}_${"y".repeat(60)}`,
  `call_${"x".repeat(40)}_${"y".repeat(59)}z`,
];

function conversation(ids: readonly string[]): MessagesInput {
  const calls = ids.map((id) => ({ type: "tool_call", id, name: "weather", args: {} }) as const);
  return [
    { role: "user", content: "How warm is it?" },
    { role: "assistant", content: calls },
    ...ids.map((toolCallId): Message => ({
      role: "tool",
      toolCallId,
      content: [{ type: "text", text: "-4" }],
    })),
  ];
}

interface Server {
  readonly name: string;
  readonly fake: Fake;
  readonly options?: Partial<OpenAIOptions>;
  /** The ids that the server accepts. */
  readonly ids: RegExp;
  readonly words: string;
}

const servers: readonly Server[] = [
  {
    name: "Mistral",
    fake: vllm,
    options: { model: "mistral-small-latest" },
    ids: /^[a-zA-Z0-9]{9}$/,
    words: "Tool call id was toolu but must be a-z, A-Z, 0-9, with a length of 9.",
  },
  {
    name: "OpenAI",
    fake: openAIChat,
    options: { model: "openai/gpt-4.1" },
    ids: /^.{1,40}$/,
    words:
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40",
  },
  {
    name: "the Responses API",
    fake: openAIResponses,
    ids: /^.{1,64}$/,
    words: "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64",
  },
  {
    name: "Anthropic",
    fake: anthropicMessages,
    ids: /^[\w-]+$/,
    words: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  },
];

/** The ids of calls and of their results in a request of any of these APIs. */
function idsIn(body: Fields): readonly [calls: unknown[], results: unknown[]] {
  const messages = [...listIn(body, "messages"), ...listIn(body, "input")];
  const parts = messages.flatMap((message) => [message, ...listIn(message, "content")]);
  const calls = parts.flatMap((part) => {
    if (part["type"] === "function_call") return [part["call_id"]];
    if (part["type"] === "tool_use") return [part["id"]];
    return listIn(part, "tool_calls").map(({ id }) => id);
  });
  const results = parts.flatMap((part) => {
    const id = part["tool_call_id"] ?? part["tool_use_id"];
    return id ?? (part["type"] === "function_call_output" ? part["call_id"] : []);
  });
  return [calls, results];
}

describe.each(servers)("the ids of calls of another provider for $name", ({ fake, options, ids, words }) => {
  const refuse = (body: Fields): Refusal | undefined =>
    idsIn(body)
      .flat()
      .every((id) => ids.test(String(id)))
      ? undefined
      : { status: 400, body: { error: { message: words } } };

  test("are accepted, and the same for a call and its result", async () => {
    const server = await fakeServer({ ...fake, refuse }, fake.says("Four below."));
    const { error } = await outcomeOf(fake.model(server, options).stream(conversation(foreignIds)));
    expect(error).toBeUndefined();
    const [calls, results] = idsIn(server.requests[0]!.body as Fields);
    expect(results).toEqual(calls);
    expect(new Set(calls).size).toBe(foreignIds.length);
  });

  test("are the same in the next request", async () => {
    const server = await fakeServer({ ...fake, refuse }, fake.says("Four below."));
    const model = fake.model(server, options);
    await outcomeOf(model.stream(conversation(foreignIds)));
    await outcomeOf(model.stream(conversation(foreignIds.slice(1))));
    const [first, second] = server.requests.map(({ body }) => idsIn(body as Fields)[0]);
    expect(second).toEqual(first!.slice(1));
  });
});

test("an id that the server accepts is sent as it is", async () => {
  for (const { fake, options, ids } of servers) {
    const own = ["a1B2c3D4e", "Z99999999"];
    expect(own.every((id) => ids.test(id))).toBe(true);
    const server = await fakeServer(fake, fake.says("Four below."));
    await outcomeOf(fake.model(server, options).stream(conversation(own)));
    expect(idsIn(server.requests[0]!.body as Fields)).toEqual([own, own]);
  }
  const server = await fakeServer(vllm, vllm.says("Four below."));
  await outcomeOf(vllm.model(server).stream(conversation(foreignIds)));
  expect(idsIn(server.requests[0]!.body as Fields)[0]).toEqual(foreignIds);
});

describe.each([gemini25, gemini3])("$name", (fake) => {
  const named = (name: unknown): boolean => /^[a-z_][\w.:-]{0,63}$/i.test(String(name));
  const refuse = (body: Fields): Refusal | undefined => {
    const declared = fake.toolsIn(body);
    const called = listIn(body, "contents")
      .flatMap((content) => listIn(content, "parts"))
      .flatMap((part) =>
        ["functionCall", "functionResponse"].flatMap((it) => fieldsIn(part, it)["name"] ?? []),
      );
    if ([...declared, ...called].every(named)) return fake.refuse(body);
    const message =
      "* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore.";
    return { status: 400, body: { error: { code: 400, message, status: "INVALID_ARGUMENT" } } };
  };

  test("takes the members of a union whose names begin with a digit", async () => {
    const server = await fakeServer({ ...fake, refuse }, (response, request, index) => {
      const [, three] = fake.toolsIn(request.body as Fields);
      return fake.calls({ name: three!, args: ['{"kind":"3d","z":1}'] })(response, request, index);
    });
    const { final } = streamObject({
      model: fake.model(server),
      schema: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("2d") }),
        z.object({ kind: z.literal("3d"), z: z.number() }),
      ]),
      prompt: "A point.",
    });
    expect(await final).toEqual({ kind: "3d", z: 1 });
  });

  test("runs the right one of two tools whose names differ by an underscore", async () => {
    const ran: string[] = [];
    const make = (name: string) => tool({ name, schema: z.object({}), run: () => (ran.push(name), name) });
    const server = await fakeServer(
      { ...fake, refuse },
      (response, request, index) => {
        const [first, second] = fake.toolsIn(request.body as Fields);
        const name = index === 0 ? first! : second!;
        return fake.calls({ name, args: ["{}"] })(response, request, index);
      },
      (response, request, index) => {
        const [, second] = fake.toolsIn(request.body as Fields);
        return fake.calls({ name: second!, args: ["{}"] })(response, request, index);
      },
      fake.says("Done"),
    );
    await createAgent({ model: fake.model(server), tools: [make("2d"), make("_2d")] }).invoke("Draw.");
    expect(ran).toEqual(["2d", "_2d"]);
  });
});

describe("reasoning goes back under the name under which it came", () => {
  const look = tool({ name: "look", schema: z.object({}), run: () => "-4" });
  const called = [
    delta({
      tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
    }),
    finish("tool_calls"),
  ];

  test.each(["reasoning", "reasoning_content"])("%s", async (field) => {
    const server = await serving(
      stream(delta({ [field]: "Let me " }), delta({ [field]: "look." }), ...called),
      stream(content("Four below."), finish()),
    );
    const model = openai({ model: "qwen3", baseURL: server.url, apiKey: "k" });
    await createAgent({ model, tools: [look] }).invoke("How warm is it?");
    const sent = listIn(server.requests[1]!.body as Fields, "messages")[1]!;
    expect(sent).toMatchObject({ role: "assistant", [field]: "Let me look." });
    expect(Object.keys(sent).filter((key) => key.startsWith("reasoning"))).toEqual([field]);
  });

  test("and is not sent to a server that refuses it", async () => {
    const messages: MessagesInput = [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", reasoning: "Hm", metadata: { type: "reasoning" } },
          { type: "tool_call", id: "c1", name: "look", args: {} },
        ],
      },
      { role: "tool", toolCallId: "c1", content: "-4" },
    ];
    for (const baseURL of ["https://api.groq.com/openai/v1", "https://api.openai.com/v1"]) {
      let body = "";
      const fetch = async (_: string, init: RequestInit): Promise<Response> => {
        body = init.body as string;
        return new Response("no", { status: 400 });
      };
      await outcomeOf(openai({ model: "m-1", baseURL, apiKey: "k", fetch }).stream(messages));
      expect(body).toContain("c1");
      expect(body).not.toContain("reasoning");
    }
  });
});

test("a strategy names the tools of a union by its constants", async () => {
  const server = await fakeServer(gemini3, gemini3.calls({ name: "_2d", args: ['{"kind":"2d"}'] }));
  const flat = z.object({ kind: z.literal("2d") });
  const agent = createAgent({
    model: gemini3.model(server),
    responseFormat: toolStrategy([flat, z.object({ kind: z.literal("3d") })]),
  });
  expect((await agent.invoke("A point.")).structuredResponse).toEqual({ kind: "2d" });
});
