import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createAgent, pipe, streamObject, timeout, TimeoutError, tool } from "millrace";
import { toolStrategy } from "millrace/agent";
import { chatModel, type ProviderOptions } from "millrace/models";
import { openai } from "millrace/openai";
import { z } from "zod";
import {
  anthropicMessages,
  type Fake,
  fakeServer,
  openAIChat,
  openAIResponses,
} from "../../../models/support/fakes.js";
import { deferred } from "../../../models/support/deferred.js";
import { type Fields, fieldsIn, type Refusal } from "../../../models/support/refusals.js";
import type { TestServer } from "../../../models/support/server.js";

const report = z.object({ city: z.string(), celsius: z.number() }).meta({ title: "Report" });
const failure = z.object({ reason: z.string() }).meta({ title: "Failure" });
const answer = { city: "Oslo", celsius: -4 };
const call = { name: "Report", args: ['{"city":"Oslo",', '"celsius":-4}'] };
const weather = tool({
  name: "weather",
  schema: z.object({ city: z.string() }),
  run: ({ city }) => `${city}: -4 °C`,
});

/** A forced choice in the words of Chat Completions and Responses, or of Anthropic. */
function isForced({ tool_choice }: Fields): boolean {
  const choice = tool_choice as string | Fields | undefined;
  const word = typeof choice === "object" ? choice["type"] : choice;
  return word !== undefined && word !== "auto" && word !== "none";
}

function refusal(message: string, status = 400): Refusal {
  return { status, body: { error: { message, type: "invalid_request_error", param: null } } };
}

interface Server {
  readonly name: string;
  readonly fake: Fake;
  readonly model: string;
  readonly refusal: Refusal;
  /** Whether a request has thinking on. */
  readonly thinks: (body: Fields) => boolean;
}

const servers: readonly Server[] = [
  {
    name: "DeepSeek Reasoner",
    fake: openAIChat,
    model: "deepseek-reasoner",
    refusal: refusal("deepseek-reasoner does not support this tool_choice"),
    thinks: () => true,
  },
  {
    name: "DeepSeek V4",
    fake: openAIChat,
    model: "deepseek-v4-flash",
    refusal: refusal("Thinking mode does not support this tool_choice"),
    thinks: (body) => fieldsIn(body, "thinking")["type"] !== "disabled",
  },
  {
    name: "Kimi",
    fake: openAIChat,
    model: "kimi-k2.5",
    refusal: refusal("tool_choice 'required' is incompatible with thinking enabled"),
    thinks: (body) => fieldsIn(body, "thinking")["type"] !== "disabled",
  },
  {
    name: "Qwen",
    fake: openAIChat,
    model: "qwen3.5-plus",
    refusal: refusal(
      "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
    ),
    thinks: (body) => body["enable_thinking"] !== false && fieldsIn(body, "thinking")["type"] !== "disabled",
  },
  {
    name: "Qwen by Responses",
    fake: openAIResponses,
    model: "qwen3.5-plus",
    refusal: refusal(
      "The tool_choice parameter does not support being set to required or object in thinking mode",
    ),
    thinks: (body) => fieldsIn(body, "thinking")["type"] !== "disabled",
  },
  {
    name: "OpenRouter",
    fake: openAIChat,
    model: "z-ai/glm-4.5-air",
    refusal: {
      status: 404,
      body: {
        error: {
          message:
            "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
          code: 404,
        },
      },
    },
    thinks: () => true,
  },
  {
    name: "a server that names the field beside the message",
    fake: openAIChat,
    model: "m-1",
    refusal: {
      status: 400,
      body: { error: { message: "This value is not supported in thinking mode.", param: "tool_choice" } },
    },
    thinks: () => true,
  },
  {
    name: "DeepSeek by the API of Anthropic",
    fake: anthropicMessages,
    model: "deepseek-v4-pro",
    refusal: refusal("deepseek-reasoner does not support this tool_choice"),
    thinks: (body) => fieldsIn(body, "thinking")["type"] !== "disabled",
  },
];

/** Claude thinks only if a request asks for it. */
const claude: Server = {
  name: "Claude",
  fake: anthropicMessages,
  model: "claude-sonnet-4-5",
  refusal: {
    status: 400,
    body: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "Thinking may not be enabled when tool_choice forces tool use.",
      },
    },
  },
  thinks: (body) => ["enabled", "adaptive"].includes(String(fieldsIn(body, "thinking")["type"])),
};

/** A server that refuses what the real one refuses. */
function serverOf({ fake, refusal, thinks }: Server, ...answers: Parameters<typeof fakeServer>[1][]) {
  const refuse: Fake["refuse"] = (body) => (isForced(body) && thinks(body) ? refusal : fake.refuse(body));
  return fakeServer({ ...fake, refuse }, ...answers);
}

function modelOf({ fake, model }: Server, server: TestServer, options: Partial<ProviderOptions> = {}) {
  return fake.model(server, { model, ...options });
}

/** For each request, whether it forced a call. */
function forcedIn(server: TestServer): readonly boolean[] {
  return server.requests.map(({ body }) => isForced(body as Fields));
}

describe.each(servers)("$name, which cannot be forced to call a tool while it thinks", (it) => {
  const { fake } = it;

  test("is asked once more, without a forced call", async () => {
    const server = await serverOf(it, fake.calls(call));
    const { final } = streamObject({
      model: modelOf(it, server),
      schema: report,
      prompt: "How warm is it in Oslo?",
    });
    expect(await final).toEqual(answer);
    expect(forcedIn(server)).toEqual([true, false]);
    const [refused, accepted] = server.requests.map(({ body }) => body as Fields);
    expect({ ...refused, tool_choice: undefined }).toEqual({ ...accepted, tool_choice: undefined });
  });

  test("is not forced again by later calls and agents, which use the same model", async () => {
    const server = await serverOf(
      it,
      fake.calls({ name: "weather", args: ['{"city":"Oslo"}'] }),
      fake.calls(call),
    );
    const model = modelOf(it, server);
    for (let run = 0; run < 2; run++) {
      const agent = createAgent({ model, tools: [weather], responseFormat: [report, failure] });
      expect((await agent.invoke("How warm is it in Oslo?")).structuredResponse).toEqual(answer);
    }
    expect(forcedIn(server)).toEqual([true, false, false, false]);
  });

  test("is asked again if it then answers in plain text", async () => {
    const server = await serverOf(it, fake.says("It is four below zero."), fake.calls(call));
    const agent = createAgent({
      model: modelOf(it, server),
      responseFormat: toolStrategy([report, failure]),
    });
    expect((await agent.invoke("How warm is it in Oslo?")).structuredResponse).toEqual(answer);
    expect(forcedIn(server)).toEqual([true, false, false]);
  });

  test("is not asked once more if the caller chose the forced call", async () => {
    const server = await serverOf(it, fake.calls(call));
    const agent = createAgent({
      model: modelOf(it, server),
      responseFormat: toolStrategy(report),
      callOptions: { toolChoice: { name: "Report" } },
    });
    await expect(agent.invoke("How warm is it in Oslo?")).rejects.toMatchObject({
      name: "ModelError",
      status: it.refusal.status,
    });
    expect(forcedIn(server)).toEqual([true]);
  });
});

test("a call without thinking is forced, also after one with thinking was refused", async () => {
  const it = servers.find(({ name }) => name === "DeepSeek V4")!;
  const server = await serverOf(it, it.fake.calls(call));
  const model = modelOf(it, server);
  const ask = (type: string) =>
    createAgent({
      model,
      responseFormat: toolStrategy(report),
      callOptions: { extra: { thinking: { type } } },
    }).invoke("How warm is it in Oslo?");
  for (const type of ["enabled", "disabled", "enabled"]) await ask(type);
  expect(forcedIn(server)).toEqual([true, false, true, false]);
});

describe("Claude with thinking", () => {
  const { fake } = claude;

  test.each([
    ["reasoning", { reasoning: { maxTokens: 2_000 } }],
    ["its own field", { extra: { thinking: { type: "enabled", budget_tokens: 2_000 } } }],
  ])("by %s is never forced: no request is refused", async (_, callOptions) => {
    const server = await serverOf(claude, fake.says("It is four below zero."), fake.calls(call));
    const agent = createAgent({
      model: modelOf(claude, server),
      responseFormat: z.union([report, failure]),
      callOptions,
    });
    expect((await agent.invoke("How warm is it in Oslo?")).structuredResponse).toEqual(answer);
    expect(forcedIn(server)).toEqual([false, false]);
    expect(server.requests.every(({ body }) => claude.thinks(body as Fields))).toBe(true);
  });

  test("that its own field turns off is forced", async () => {
    const server = await serverOf(claude, fake.calls(call));
    const { structuredResponse } = await createAgent({
      model: modelOf(claude, server),
      responseFormat: toolStrategy(report),
      callOptions: { reasoning: { maxTokens: 2_000 }, extra: { thinking: { type: "disabled" } } },
    }).invoke("How warm is it in Oslo?");
    expect(structuredResponse).toEqual(answer);
    expect(forcedIn(server)).toEqual([true]);
  });
});

test("a middleware that gives up before the refusal causes no other request", async () => {
  const { promise: refusing, resolve: refuse } = deferred();
  let requests = 0;
  const model = chatModel({
    provider: "mine",
    model: "m-1",
    profile: openai({ model: "m-1", apiKey: "k" }).profile,
    async *stream() {
      requests++;
      await refusing;
      if (requests > 0) throw new Error("400: this tool_choice is not supported");
      yield { content: [] };
    },
  });
  const agent = createAgent({
    model,
    responseFormat: toolStrategy(report),
    middleware: [{ aroundModel: (call, next) => pipe(next(call), timeout(1)) }],
  });
  await expect(agent.invoke("Hi")).rejects.toBeInstanceOf(TimeoutError);
  refuse();
  await setTimeout(20);
  expect(requests).toBe(1);
});

test("an error that is not about the tool choice is not asked again", async () => {
  const other = { ...servers[0]!, refusal: refusal("Invalid schema for function 'Report'") };
  const server = await serverOf(other, other.fake.calls(call));
  const agent = createAgent({ model: modelOf(other, server), responseFormat: toolStrategy(report) });
  await expect(agent.invoke("Hi")).rejects.toMatchObject({ name: "ModelError", status: 400 });
  expect(forcedIn(server)).toEqual([true]);
});

test("a server that refuses every request is asked twice", async () => {
  const broken: Fake = { ...openAIChat, refuse: () => servers[0]!.refusal };
  const server = await fakeServer(broken, openAIChat.calls(call));
  const agent = createAgent({ model: broken.model(server), responseFormat: toolStrategy(report) });
  for (let run = 0; run < 2; run++)
    await expect(agent.invoke("Hi")).rejects.toMatchObject({ name: "ModelError", status: 400 });
  expect(forcedIn(server)).toEqual([true, false, true, false]);
});
