import {
  type AgentEvent,
  assistant,
  collect,
  createAgent,
  type JsonValue,
  last,
  type Message,
  type MessageChunk,
  ModelError,
  system,
  textOf,
  tool,
  toolMessage,
  user,
} from "millrace";
import { AgentError, card, type Detector, email, ip, redactText, toolStrategy } from "millrace/agent";
import { everyWay, randomPartitions, scriptedModel, spySource } from "millrace/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ofType, partialsIn } from "../../support/script.js";
import { callChunk, eventsOf, shownArgs, shownText } from "./redacted.js";

const all = { detectors: { email, card, ip } };
const secrets = ["ada@example.com", "4111 1111 1111 1111", "192.0.2.1"];

describe("text of the model", () => {
  test("is redacted in the same way, however it is cut", async () => {
    const text = 'Ask ada@example.com ("4111 1111 1111 1111") at 192.0.2.1:80. \\n {"a": 1} e@x.org';
    const shown = 'Ask [email] ("[card]") at [ip]:80. \\n {"a": 1} [email]';
    for (const pieces of everyWay(text)) expect(await shownText(pieces, all)).toBe(shown);
  });

  test("and so is any text", async () => {
    const fragment = fc.constantFrom(
      ...secrets,
      "a",
      "@",
      ".",
      " ",
      "4111",
      "::",
      "1",
      "-",
      "\n",
      "x.org",
      "é",
      "你",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 12 }), fc.nat(), async (fragments, seed) => {
        const text = fragments.join("");
        const whole = await shownText([text], all);
        for (const pieces of randomPartitions(text, { seed, count: 3 }))
          expect(await shownText(pieces, all)).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });

  test("is shown as soon as it is decided", async () => {
    const events = await eventsOf(["Hello ad", "a@ex", "ample.com an", "d bye"], { detectors: { email } });
    expect(ofType(events, "text").map(({ delta }) => delta)).toEqual(["Hello ", "[email] ", "and ", "bye"]);
  });

  test("is withheld for at most three times the longest match, at linear cost", async () => {
    let given = 0;
    const counting: Detector = Object.assign(
      (run: string) => {
        given += run.length;
        return run.matchAll(/key=\d{4}/g);
      },
      { maxLength: 8 },
    );
    const text = "xkey=1234-".repeat(2_000);
    let written = 0;
    let shown = 0;
    const model = scriptedModel(function* () {
      for (const piece of text) {
        // The stage has what was read, and one item may be on its way.
        expect(written - shown).toBeLessThanOrEqual(25);
        written += piece.length;
        yield piece;
      }
    });
    const agent = createAgent({
      model,
      middleware: [redactText({ detectors: { counting }, action: ({ text }) => "*".repeat(text.length) })],
    });
    let out = "";
    for await (const event of agent.stream("Hi")) {
      if (event.type !== "text") continue;
      shown += event.delta.length;
      out += event.delta;
    }
    expect(out).toBe("x********-".repeat(2_000));
    expect(given).toBeLessThanOrEqual(2 * text.length + 16);
  });

  test("that ends with an error does not show what is withheld, nor does the error", async () => {
    const answer = assistant("Ask ada@example.com or bo@exa");
    const model = scriptedModel(function* () {
      yield "Ask ada@example.com or bo@exa";
      throw new ModelError("cut", "Cut.", { partial: answer, status: 200 });
    });
    const agent = createAgent({ model, maxRetries: 0, middleware: [redactText(all)] });
    const shown: string[] = [];
    const error: unknown = await (async () => {
      for await (const event of agent.stream("Hi")) if (event.type === "text") shown.push(event.delta);
    })().catch((thrown: unknown) => thrown);
    expect(shown).toEqual(["Ask [email] or "]);
    expect(error).toMatchObject({
      code: "cut",
      status: 200,
      partial: { content: [{ text: "Ask [email] or bo@exa" }] },
    });
  });

  test("is closed when the reader leaves", async () => {
    const source = spySource([{ content: [{ type: "text" as const, text: "a b" }] }, { content: [] }]);
    const agent = createAgent({ model: scriptedModel(() => source), middleware: [redactText(all)] });
    for await (const event of agent.stream("Hi")) if (event.type === "text") break;
    expect(source.returns).toBe(1);
  });

  test("may be any other kind of content", async () => {
    const content: MessageChunk["content"] = [
      { type: "reasoning", reasoning: "ada@example.com", metadata: { signature: "s", id: "r" } },
      { type: "text", text: "x ", annotations: [{ type: "citation", citedText: "by ada@example.com" }] },
      { type: "server_tool_result", toolCallId: "1", status: "success", output: [{ "ada@example.com": 1 }] },
      { type: "non_standard", value: { card: 4111111111111111 } },
      { type: "image", url: "https://example.com/ada@example.com" },
    ];
    const events = await eventsOf(
      [
        { content, refusal: "No, ada@example." },
        { content: [], refusal: "com." },
      ],
      all,
    );
    const [message] = ofType(events, "message");
    expect(message?.message).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", reasoning: "[email]", metadata: { id: "r" } },
        { type: "text", text: "x ", annotations: [{ type: "citation", citedText: "by [email]" }] },
        { type: "server_tool_result", toolCallId: "1", status: "success", output: [{ "[email]": 1 }] },
        { type: "non_standard", value: { card: "[card]" } },
        { type: "image", url: "https://example.com/ada@example.com" },
      ],
      refusal: "No, [email].",
      finishReason: "stop",
    });
  });

  test("keeps the signature of reasoning without a match, at the end of the block", async () => {
    const signed: MessageChunk = {
      content: [{ type: "reasoning", reasoning: "", metadata: { signature: "s" } }],
    };
    const thought = (reasoning: string): MessageChunk => ({ content: [{ type: "reasoning", reasoning }] });
    const blocksOf = async (...thoughts: string[]): Promise<unknown> => {
      const events = await eventsOf([...thoughts.map(thought), signed, "Yes."], all);
      return ofType(events, "message")[0]?.message.content[0];
    };
    expect(await blocksOf("I th", "ink")).toEqual({
      type: "reasoning",
      reasoning: "I think",
      metadata: { signature: "s" },
    });
    expect(await blocksOf("Ask ada@exam", "ple.com")).toEqual({
      type: "reasoning",
      reasoning: "Ask [email]",
      metadata: {},
    });
  });
});

describe("arguments of a tool", () => {
  const text = String.raw`{"to": ["ada@example.com", "x\nbo@example.com\n", "c\u0079@ex\u0061mple.com \ud83d\ude00 \"é\""], "n": 4111111111111111, "ada@example.com": {"ip": "192.0.2.1", "c": [378282246310005, -1.5e3, true, null]}, "q": "4111 1111\n1111 1111"}`;
  const redacted: JsonValue = {
    to: ["[email]", "x\n[email]\n", '[email] 😀 "é"'],
    n: "[card]",
    "[email]": { ip: "[ip]", c: ["[card]", -1500, true, null] },
    q: "4111 1111\n1111 1111",
  };

  test("are redacted as JSON, however they are cut", async () => {
    for (const pieces of everyWay(text, { count: 20 }))
      expect(await shownArgs(pieces, all)).toEqual(redacted);
  }, 60_000);

  test("of any value are redacted as a whole call is", async () => {
    const fragment = fc.constantFrom(
      ...secrets,
      "ada@",
      "x.org",
      "4111",
      "\n",
      '"',
      "\\",
      "/",
      "{",
      "]",
      " ",
      "é",
      "😀",
      "u0040",
    );
    const string = fc.array(fragment, { maxLength: 5 }).map((fragments) => fragments.join(""));
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        string,
        fc.constantFrom(4111111111111111, 1, -2.5, true, null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(string, tie("value"), { maxKeys: 3 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(string, value, { maxKeys: 3 }), fc.nat(), async (args, seed) => {
        const whole = await eventsOf(
          [{ content: [{ type: "tool_call", id: "1", name: "save", args }] }],
          all,
        );
        const shown = ofType(whole, "tool_start")[0]?.args;
        fc.pre(keyCount(shown) === keyCount(args)); // two keys that become one: see the next test
        const written = JSON.stringify(args, null, seed % 3).replaceAll(
          "@",
          seed % 2 === 0 ? "@" : "\\u0040",
        );
        expect(JSON.parse(written)).toEqual(args);
        for (const pieces of randomPartitions(written, { seed, count: 2 }))
          expect(await shownArgs(pieces, all)).toEqual(shown);
      }),
      { numRuns: 150 },
    );
  });

  test("with two keys that become one do not reach the tool", async () => {
    const events = await eventsOf([callChunk('{"ada@example.com": 1, "bo@example.com": 2}', true)], all);
    expect(ofType(events, "tool_start")).toEqual([]);
    expect(JSON.stringify(ofType(events, "tool_error"))).toContain("twice");
  });

  test("are redacted in whole calls too", async () => {
    const args = JSON.parse(text) as Record<string, JsonValue>;
    const events = await eventsOf([{ content: [{ type: "tool_call", id: "1", name: "save", args }] }], all);
    expect(ofType(events, "tool_start")[0]?.args).toEqual(redacted);
  });

  test("stay as they were written without a match", async () => {
    const written = String.raw`{ "a":"\u0041\/\"\n", "b" : [1.0e2] }`;
    const events = await eventsOf([callChunk(written, true)], all);
    expect(ofType(events, "tool_args").map(({ delta }) => delta)).toEqual([written]);
  });

  test("of parallel calls are apart, and each tool starts when its call has ended", async () => {
    const pieces: (string | MessageChunk)[] = [
      "Two: ada@example.com",
      callChunk('{"a": "ada@', true, 0),
      callChunk('{"b": "b', true, 1),
      callChunk('example.com"}', false, 0),
      callChunk('o@example.com"}', false, 1),
      "End.",
    ];
    const events = await eventsOf(pieces, all);
    const shown = events.flatMap((event) => {
      if (event.type === "text") return event.delta;
      return event.type === "tool_start" ? JSON.stringify(event.args) : [];
    });
    expect(shown.slice(0, 5)).toEqual(["Two: ", "[email]", '{"a":"[email]"}', "End.", '{"b":"[email]"}']);
  });

  test("that are no JSON are redacted too", async () => {
    const events = await eventsOf([callChunk('{"a": ada@example.com, "b": "ada@exam', true)], all);
    expect(JSON.stringify(events)).not.toContain("ada@example.com");
    expect(ofType(events, "tool_error")).toHaveLength(1);
  });
});

describe("a structured response", () => {
  const schema = z.object({
    mail: z.string(),
    notes: z.array(z.string()),
    n: z.union([z.string(), z.number()]),
  });
  const json = String.raw`{"mail": "ada@example.com", "notes": ["line\nbo@example.com", "fine"], "n": 4111111111111111}`;
  const value = { mail: "[email]", notes: ["line\n[email]", "fine"], n: "[card]" };

  test.each<[how: string, text: string, structuredOutput: boolean]>([
    ["in text", json, true],
    ["after prose", `Here (ada@example.com said "ok") it is:\n\`\`\`json\n${json}\n\`\`\``, false],
  ])("%s never shows a match", async (_, text, structuredOutput) => {
    for (const pieces of randomPartitions(text, { count: 30 })) {
      const model = scriptedModel(pieces, {
        profile: {
          structuredOutput,
          toolCalling: false,
          reasoning: false,
          input: ["text"],
          output: ["text"],
        },
      });
      const agent = createAgent({ model, responseFormat: schema, middleware: [redactText(all)] });
      const events = await collect(agent.stream("Hi"));
      expect(ofType(events, "structured")).toMatchObject([{ value }]);
      expect(JSON.stringify(partialsIn(events))).not.toMatch(/ada@|bo@|4111/);
      expect(JSON.stringify(events)).not.toMatch(/ada@|bo@|4111/);
    }
  });

  test("in a tool call never shows a match", async () => {
    for (const pieces of randomPartitions(json, { count: 30 })) {
      const model = scriptedModel(({ options }) => {
        const name = options.tools?.[0]?.name ?? "";
        return pieces.map((args, at): MessageChunk => ({
          content: [{ type: "tool_call_chunk", args, ...(at === 0 && { id: "1", name }) }],
        }));
      });
      const agent = createAgent({
        model,
        responseFormat: toolStrategy(schema),
        middleware: [redactText(all)],
      });
      const events = await collect(agent.stream("Hi"));
      expect(ofType(events, "structured")).toMatchObject([{ value }]);
      expect(JSON.stringify(events)).not.toMatch(/ada@|bo@|4111/);
    }
  });
});

describe("messages to the model", () => {
  const conversation: readonly Message[] = [
    user([
      { type: "text", text: "I am ada@example.com." },
      { type: "image", data: "YWRhQGV4YW1wbGUuY29t", mimeType: "image/png" },
    ]),
    assistant([
      { type: "reasoning", reasoning: "ada@example.com?", metadata: { signature: "s" } },
      { type: "tool_call", id: "ada@example.com", name: "find", args: { who: ["ada@example.com"] } },
      {
        type: "invalid_tool_call",
        id: "2",
        args: '{"who": "ada@example.com',
        error: 'At "ada@example.com".',
      },
    ]),
    toolMessage("192.0.2.1", { toolCallId: "ada@example.com", artifact: "192.0.2.1" }),
    toolMessage("bad", { toolCallId: "2", status: "error" }),
    user("Pay with 4111 1111 1111 1111."),
  ];

  test("are redacted in the call, but not in the state", async () => {
    const model = scriptedModel(["Yes."]);
    const agent = createAgent({ model, system: "Mail ada@example.com.", middleware: [redactText(all)] });
    const { messages } = await agent.invoke(conversation);
    expect(messages.slice(0, -1)).toEqual(conversation);
    expect(model.calls[0]?.messages).toEqual([
      system("Mail ada@example.com."),
      user([
        { type: "text", text: "I am [email]." },
        { type: "image", data: "YWRhQGV4YW1wbGUuY29t", mimeType: "image/png" },
      ]),
      assistant([
        { type: "reasoning", reasoning: "[email]?", metadata: {} },
        { type: "tool_call", id: "ada@example.com", name: "find", args: { who: ["[email]"] } },
        { type: "invalid_tool_call", id: "2", args: '{"who": "[email]', error: 'At "[email]".' },
      ]),
      toolMessage("[ip]", { toolCallId: "ada@example.com", artifact: "192.0.2.1" }),
      toolMessage("bad", { toolCallId: "2", status: "error" }),
      user("Pay with [card]."),
    ]);
  });

  test("are results of tools of this run", async () => {
    const model = scriptedModel(({ index }) => (index === 0 ? [callChunk("{}", true)] : ["Done."]));
    const save = tool({ name: "save", schema: z.object({}), run: () => "ada@example.com" });
    await createAgent({ model, tools: [save], middleware: [redactText(all)] }).invoke("Hi");
    expect(model.calls[1]?.messages.map(textOf)).toEqual(["Hi", "", "[email]"]);
  });

  test("are redacted once", async () => {
    let runs = 0;
    const counting: Detector = () => {
      runs++;
      return [];
    };
    const model = scriptedModel(({ index }) => (index < 5 ? [callChunk("{}", true)] : ["Done."]));
    const save = tool({ name: "save", schema: z.object({}), run: () => "ok" });
    const middleware = [redactText({ detectors: { counting }, directions: ["input"] })];
    await createAgent({ model, tools: [save], middleware }).invoke("Hi");
    // One run of text in the first message, in each of five calls and results.
    expect(runs).toBeLessThanOrEqual(16);
  });
});

describe("the action", () => {
  test("hash writes the same for the same text, with a key", async () => {
    const text = "ada@example.com bo@example.com ada@example.com";
    const hashed = async (secret?: string): Promise<string[]> =>
      (await shownText([text], { ...all, action: "hash", ...(secret !== undefined && { secret }) })).split(
        " ",
      );
    const [ada, bo, again] = await hashed();
    expect(ada).toMatch(/^\[email:[\da-f]{12}\]$/);
    expect(ada).toBe(again);
    expect(ada).not.toBe(bo);
    expect(await hashed()).not.toContain(ada);
    expect(await hashed("key")).toEqual(await hashed("key"));
    expect(await hashed("key")).not.toEqual(await hashed("other key"));
  });

  test("hash refuses an empty key at once", () => {
    expect(() => redactText({ ...all, action: "hash", secret: "" })).toThrow("secret");
  });

  test("block ends the run before the model is called", async () => {
    const model = scriptedModel(["Yes."]);
    const agent = createAgent({ model, middleware: [redactText({ ...all, action: "block" })] });
    const error: unknown = await agent.invoke("I am ada@example.com.").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: "blocked", message: expect.stringContaining("email") as string });
    expect(String(error)).not.toContain("ada");
    expect(model.calls).toHaveLength(0);
  });

  test("block shows what came before a match, and nothing after it, however it is cut", async () => {
    const text = "Ask ada@example.com, or bo@example.com.";
    for (const pieces of everyWay(text, { count: 20 })) {
      const source = spySource(
        pieces.map((piece) => ({ content: [{ type: "text" as const, text: piece }] })),
      );
      const agent = createAgent({
        model: scriptedModel(() => source),
        middleware: [redactText({ ...all, action: "block" })],
      });
      let shown = "";
      const run = async (): Promise<void> => {
        for await (const event of agent.stream("Hi")) if (event.type === "text") shown += event.delta;
      };
      await expect(run()).rejects.toMatchObject({ code: "blocked" });
      expect(shown).toBe("Ask ");
      expect(source.returns).toBe(1);
    }
  });

  test("block never lets a tool run", async () => {
    const run = eventsOf([callChunk('{"n": 4111111111111111, "m": 1}', true)], { ...all, action: "block" });
    await expect(run).rejects.toMatchObject({ code: "blocked" });
  });

  test("block ends a run with a call that is there as a whole, and what a function throws does", async () => {
    const written = { type: "tool_call", id: "1", name: "mail", args: { to: "ada@example.com" } } as const;
    const chunks = [{ content: [{ type: "text" as const, text: "So: " }, written] }];
    for (const [action, error] of [
      ["block", { code: "blocked" }],
      [
        () => {
          throw new RangeError("No.");
        },
        { message: "No." },
      ],
    ] as const) {
      const ran: unknown[] = [];
      const mail = tool({
        name: "mail",
        schema: z.object({ to: z.string() }),
        run: (args) => ran.push(args),
      });
      const agent = createAgent({
        model: scriptedModel([...chunks]),
        tools: [mail],
        middleware: [redactText({ ...all, action })],
      });
      const shown: AgentEvent[] = [];
      const run = async (): Promise<void> => {
        for await (const event of agent.stream("Hi")) shown.push(event);
      };
      await expect(run()).rejects.toMatchObject(error);
      expect(
        ofType(shown, "text")
          .map(({ delta }) => delta)
          .join(""),
      ).toBe("So: ");
      expect(ran).toEqual([]);
      const messages = [user("Hi"), assistant([written]), toolMessage("Sent.", { toolCallId: "1" })];
      await expect(agent.invoke(messages)).rejects.toMatchObject(error);
    }
  });

  test("may be a function", async () => {
    const action = ({ text, detector }: { text: string; detector: string }): string =>
      `<${detector} ${text.slice(-4)}>`;
    expect(await shownText(["4111 1111 1111 1111"], { ...all, action })).toBe("<card 1111>");
    expect(await shownArgs(['{"n": 4111111111111111}'], { ...all, action: () => '"\\' })).toEqual({
      n: '"\\',
    });
  });

  test("applies to matches that overlap as one", async () => {
    const inner: Detector = (run) => run.matchAll(/example/g);
    expect(await shownText(["ada@example.com"], { detectors: { inner, email } })).toBe("[email]");
  });
});

test("one direction leaves the other as it is", async () => {
  const model = scriptedModel(["bo@example.com"]);
  const answerOf = async (directions: readonly ("input" | "output")[]): Promise<string | undefined> => {
    const middleware = [redactText({ ...all, directions })];
    const { messages } = await createAgent({ model, middleware }).invoke("ada@example.com");
    return messages.at(-1) && textOf(messages.at(-1) as Message);
  };
  expect(await answerOf(["input"])).toBe("bo@example.com");
  expect(model.calls[0]?.messages.map(textOf)).toEqual(["[email]"]);
  expect(await answerOf(["output"])).toBe("[email]");
  expect(model.calls[1]?.messages.map(textOf)).toEqual(["ada@example.com"]);
});

test("a detector with spaces in its matches has its own characters", async () => {
  const name: Detector = Object.assign((run: string) => run.matchAll(/Ada Lovelace/g), {
    characters: /[A-Za-z ]/g,
    maxLength: 12,
  });
  for (const pieces of everyWay("Who is Ada Lovelace, please?", { count: 20 }))
    expect(await shownText(pieces, { detectors: { name } })).toBe("Who is [name], please?");
});

test.each([
  ["match() with g", (run: string) => run.match(/sk-\w+/g) ?? []],
  ["exec()", (run: string) => /sk-\w+/.exec(run)],
  ["test()", (run: string) => /sk-\w+/.test(run)],
])("a detector that returns what %s does is an error, and nothing is shown", async (_, key) => {
  const middleware = [redactText({ detectors: { key: key as never } })];
  const shown: string[] = [];
  const run = async (): Promise<void> => {
    for await (const event of createAgent({ model: scriptedModel(["sk-123 or so"]), middleware }).stream("?"))
      if (event.type === "text") shown.push(event.delta);
  };
  await expect(run()).rejects.toThrow('The detector "key" must return { index, 0: text }');
  expect(shown).toEqual([]);
});

test("a match is found in each window of a long run", async () => {
  const key: Detector = Object.assign((run: string) => run.matchAll(/k\d{6}/g), { maxLength: 7 });
  for (let at = 0; at < 40; at++) {
    const text = `${"x".repeat(at)}k123456${"x".repeat(40 - at)}`;
    const shown = `${"x".repeat(at)}[key]${"x".repeat(40 - at)}`;
    for (const pieces of randomPartitions(text, { seed: at, count: 5 }))
      expect(await shownText(pieces, { detectors: { key } })).toBe(shown);
  }
});

test.each([
  ["no detectors", { detectors: {} }, "needs detectors"],
  ["a list of detectors", { detectors: [email] }, "by their names"],
  ["detectors that are missing", {}, "by their names"],
  ["an unknown action", { ...all, action: "remove" }, "action"],
  ["an unknown direction", { ...all, directions: ["in"] }, "directions"],
  ["no direction", { ...all, directions: [] }, "directions"],
  ["an unknown option", { ...all, direction: "input" }, "Did you mean"],
  ["a length of 0", { detectors: { none: Object.assign(() => [], { maxLength: 0 }) } }, "maxLength"],
])("refuses %s", (_, options, message) => {
  expect(() => redactText(options as never)).toThrow(message);
});

test("the last event is that of the run", async () => {
  const agent = createAgent({ model: scriptedModel(["Hi."]), middleware: [redactText(all)] });
  expect(await last(agent.stream("Hi"))).toMatchObject({ type: "finish", finishReason: "stop" });
});

/** The number of members of all objects in a value. */
function keyCount(value: JsonValue | undefined): number {
  return JSON.stringify(value ?? null).match(/"(?:[^"\\]|\\.)*":/g)?.length ?? 0;
}

test.each(["citation", "toString"])("all fields of an unknown block %s are redacted", async (type) => {
  const block = { type, source: { author: "ada@example.com" }, page: 3 };
  const model = scriptedModel([{ content: [block as unknown as MessageChunk["content"][number]] }, "So."]);
  const { messages } = await createAgent({ model, middleware: [redactText(all)] }).invoke("Hi");
  expect(messages.at(-1)?.content[0]).toEqual({ type, source: { author: "[email]" }, page: 3 });
});
