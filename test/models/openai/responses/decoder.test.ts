import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  collect,
  from,
  last,
  mergeChunks,
  type MessageChunk,
  pipe,
  textOf,
  toAssistantMessage,
  toolCallsOf,
} from "millrace";
import { decodeSse } from "millrace/models";
import { decodeOpenAIResponses, type OpenAIResponsesPayload } from "millrace/openai";
import { operatorLaws } from "millrace/testing";
import { decodedBy } from "../../support/decoded.js";

const { chunksOf, messageOf, errorOf } = decodedBy(decodeOpenAIResponses, () => [completed()]);

async function contentOf(...events: readonly unknown[]): Promise<AssistantMessage["content"]> {
  return (await messageOf(...events)).content;
}

function created(fields: object = {}): object {
  return {
    type: "response.created",
    response: { id: "resp_1", model: "gpt-test", status: "in_progress", usage: null, ...fields },
  };
}

function completed(fields: object = {}): object {
  return { type: "response.completed", response: { id: "resp_1", status: "completed", ...fields } };
}

/** An event about the item with this output_index. */
function event(type: string, fields: object = {}, output_index = 0): object {
  return { type: `response.${type}`, output_index, ...fields };
}

function added(item: object, output_index = 0): object {
  return event("output_item.added", { item }, output_index);
}

function done(item: object, output_index = 0): object {
  return event("output_item.done", { item }, output_index);
}

function textDelta(delta: string, fields: object = {}): object {
  return event("output_text.delta", { content_index: 0, delta, ...fields });
}

const message = { type: "message", id: "msg_1", role: "assistant", content: [] };

test("a call without output_index whose id changes is one call, with all its arguments", async () => {
  const call = { type: "function_call", call_id: "call_1", name: "f" };
  const message = await messageOf(
    { type: "response.output_item.added", item: { ...call, id: "fc_1", arguments: "" } },
    { type: "response.function_call_arguments.delta", item_id: "fc_2", delta: '{"a": 42}' },
    { type: "response.output_item.done", item: { ...call, id: "fc_2", arguments: '{"a": 42}' } },
  );
  expect(message.content).toMatchObject([{ type: "tool_call", name: "f", args: { a: 42 } }]);
});

describe("a text is read once if an event does not name its item as another does", () => {
  const delta = (fields: object = {}): object => ({
    type: "response.output_text.delta",
    delta: "Hi",
    ...fields,
  });
  const whole = { ...message, content: [{ type: "output_text", text: "Hi" }] };
  const ends = (id?: string): object => ({ type: "response.output_item.done", item: { ...whole, id } });
  test.each<[string, object[]]>([
    ["no name, then an id", [delta(), ends("a")]],
    ["an id, then none", [delta({ item_id: "a" }), ends()]],
    ["an index, then an id", [delta({ output_index: 0 }), ends("a")]],
    ["another id in the response", [delta({ item_id: "a" }), completed({ output: [whole] })]],
    [
      "an id, no name, and the id",
      [{ type: "response.output_item.added", item: message }, delta(), ends("msg_1")],
    ],
  ])("%s", async (_, events) => {
    expect(await contentOf(...events)).toMatchObject([{ type: "text", text: "Hi" }]);
  });
});

// G-stream-1
describe("decodeOpenAIResponses keeps the law", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "1", name: "f", arguments: "" };
  const inputs = [
    created(),
    added(message),
    textDelta("a"),
    added(call, 1),
    completed(),
  ] as OpenAIResponsesPayload[];
  for (const law of operatorLaws(decodeOpenAIResponses, { inputs }))
    test.concurrent(law.name, () => law.check());
});

describe("decodeOpenAIResponses", () => {
  test("yields one chunk for each event with content", async () => {
    const usage = {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 1 },
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 5,
    };
    expect(
      await chunksOf([
        created({ created_at: 7, previous_response_id: "resp_0", service_tier: "auto" }),
        { type: "response.in_progress", response: { id: "resp_1", created_at: 7, service_tier: "auto" } },
        added({ ...message, phase: "final_answer" }),
        event("content_part.added", { content_index: 0, part: { type: "output_text", text: "" } }),
        textDelta("Hel"),
        textDelta("lo"),
        event("output_text.done", { content_index: 0, text: "Hello" }),
        event("content_part.done", { content_index: 0, part: { type: "output_text", text: "Hello" } }),
        done({ ...message, content: [{ type: "output_text", text: "Hello" }] }),
        completed({ service_tier: "default", usage }),
      ]),
    ).toEqual([
      {
        content: [{ type: "text", index: 0, text: "Hel", metadata: { id: "msg_1", phase: "final_answer" } }],
        id: "resp_1",
        model: "gpt-test",
        metadata: { created_at: 7, previous_response_id: "resp_0", service_tier: "auto" },
      },
      { content: [{ type: "text", index: 0, text: "lo" }] },
      {
        content: [],
        finishReason: "stop",
        providerFinishReason: "completed",
        usage: {
          inputTokens: 3,
          outputTokens: 2,
          totalTokens: 5,
          details: { cacheReadTokens: 1, reasoningTokens: 0 },
        },
        metadata: { service_tier: "default" },
      },
    ]);
  });

  test("stops at the last event, and closes the source", async () => {
    let closed = 0;
    async function* endless(): AsyncGenerator<OpenAIResponsesPayload> {
      try {
        yield* [textDelta("a"), completed()] as OpenAIResponsesPayload[];
        for (;;) yield textDelta("never") as OpenAIResponsesPayload;
      } finally {
        closed++;
      }
    }
    expect((await collect(pipe(endless(), decodeOpenAIResponses()))).map(textOf)).toEqual(["a", ""]);
    expect(closed).toBe(1);
  });

  test("reads server-sent events, and accepts [DONE] instead of a missing last event", async () => {
    const wire = [`event: x\ndata: ${JSON.stringify(textDelta("a"))}\n\n`, "data: [DONE]\n\n"];
    expect(await collect(pipe(from(wire), decodeSse(), decodeOpenAIResponses()))).toHaveLength(1);
  });

  test.each([
    ["stop", "completed", completed()],
    [
      "length",
      "max_output_tokens",
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      },
    ],
    [
      "content_filter",
      "content_filter",
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      },
    ],
    ["length", "incomplete", { type: "response.incomplete", response: { status: "incomplete" } }],
  ])("maps the end %s of the provider %s", async (finishReason, providerFinishReason, end) => {
    const chunks = await chunksOf([textDelta("a"), end]);
    expect(chunks.at(-1)).toMatchObject({ content: [], finishReason, providerFinishReason });
  });

  test("reads missing content from the complete response", async () => {
    const output = [
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }] },
      { ...message, content: [{ type: "output_text", text: "Hello", annotations: [] }] },
      { type: "function_call", id: "fc_1", call_id: "1", name: "f", arguments: '{"a":1}' },
    ];
    const chunks = await chunksOf([created(), done(output[0]!), completed({ output })]);
    expect(chunks.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ["reasoning"],
      ["text", "tool_call_chunk", "tool_call_chunk"],
    ]);
    expect(chunks.at(-1)).toMatchObject({ finishReason: "tool_calls" });
  });

  describe("reads items without ids once, if", () => {
    const thought = (encrypted_content: string): object => ({
      type: "reasoning",
      summary: [],
      encrypted_content,
    });
    const answer = { type: "message", content: [{ type: "output_text", text: "Hi" }] };
    const call = { type: "function_call", call_id: "1", name: "f", arguments: "{}" };
    const output = [thought("A"), thought("B"), answer, call];
    const { output_index: _, ...unplaced } = done(answer) as { output_index: number };
    test.each([
      ["only the complete response has them", []],
      ["a text also has events", [textDelta("H", { output_index: 2 }), done(answer, 2)]],
      ["a text also has an event without its place", [unplaced]],
      ["the ids are empty in events", [done({ ...answer, id: "" }, 2)]],
    ])("%s", async (_, events) => {
      const { content, finishReason } = await chunksOf([...events, completed({ output })]).then(
        async (chunks) => (await last(pipe(from(chunks), mergeChunks())))!,
      );
      const kinds = content.map((block) => (block.type === "reasoning" ? block.metadata : block.type));
      expect(kinds).toHaveLength(4);
      expect(kinds).toEqual(
        expect.arrayContaining([{ encrypted_content: "A" }, { encrypted_content: "B" }, "text", "tool_call"]),
      );
      expect(textOf({ content })).toBe("Hi");
      expect(finishReason).toBe("tool_calls");
    });
  });
});

describe("without output_index, the ids of items say what belongs together:", () => {
  const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "" };
  const second = { ...item, id: "fc_2", call_id: "call_2", name: "g" };
  const whole = { ...item, arguments: '{"a":1}' };
  const args = (delta: string, item_id?: string): object =>
    event("function_call_arguments.delta", { delta, item_id });
  const unplaced = (...events: readonly object[]): object[] =>
    events.map((event) => ({ ...event, output_index: undefined }));
  const once = [{ id: "call_1", args: { a: 1 } }];

  test("parallel calls stay separate", async () => {
    const events = [
      added(item),
      added(second),
      args("{}", "fc_2"),
      args('{"a":', "fc_1"),
      args("1}", "fc_1"),
    ];
    const output = [whole, { ...second, arguments: "{}" }];
    const chunks = await chunksOf([...unplaced(...events), completed({ output })]);
    expect(toolCallsOf(toAssistantMessage(...chunks))).toMatchObject([...once, { id: "call_2", args: {} }]);
  });

  test.each([
    ["an event repeats it", unplaced(added(item), done(whole), done(whole), added(item)), {}],
    ["an event repeats it in its place", [added(item), done(whole), done(whole)], {}],
    [
      "the complete response repeats it",
      unplaced(added(item), args('{"a":1}', "fc_1")),
      { output: [message, whole] },
    ],
    [
      "the complete response repeats it without its own id",
      unplaced(done(whole)),
      { output: [message, { ...whole, id: undefined }] },
    ],
    [
      "the complete response repeats it with another id of its own",
      unplaced(done(whole)),
      { output: [message, { ...whole, id: "fc_9" }] },
    ],
  ])("a call is the same call if %s", async (_, events, end) => {
    const chunks = await chunksOf([...events, completed(end)]);
    expect(toolCallsOf(toAssistantMessage(...chunks))).toMatchObject(once);
  });

  test("two calls with one id are two if they have different places", async () => {
    const same = { ...whole, id: undefined };
    const chunks = await chunksOf([done(same), done(same, 1), completed({ output: [same, same] })]);
    expect(toolCallsOf(toAssistantMessage(...chunks))).toHaveLength(2);
    const atEnd = await chunksOf([completed({ output: [same, same] })]);
    expect(toolCallsOf(toAssistantMessage(...atEnd))).toHaveLength(2);
  });

  test("a text is not repeated by events after its end", async () => {
    const text = { ...message, content: [{ type: "output_text", text: "Hi" }] };
    const late = event("output_text.done", { item_id: "msg_1", text: "Hi" });
    const delta = event("output_text.delta", { item_id: "msg_1", delta: "H" });
    const chunks = await chunksOf([...unplaced(added(message), delta, done(text), late), completed()]);
    expect(textOf(toAssistantMessage(...chunks))).toBe("Hi");
  });
});

describe("a text", () => {
  test("that only the end event contains is complete", async () => {
    expect(
      await contentOf(added(message), event("output_text.done", { content_index: 0, text: "Hi" })),
    ).toEqual([{ type: "text", text: "Hi", metadata: { id: "msg_1" } }]);
    const part = { type: "output_text", text: "Hi you" };
    expect(
      await contentOf(textDelta("Hi"), event("content_part.done", { content_index: 0, part }), done(message)),
    ).toEqual([{ type: "text", text: "Hi you" }]);
  });

  test("has a block for each of its parts", async () => {
    expect(
      await contentOf(added(message), textDelta("a"), textDelta("b", { content_index: 1 }), textDelta("c")),
    ).toEqual([
      { type: "text", text: "ac", metadata: { id: "msg_1" } },
      { type: "text", text: "b", metadata: { id: "msg_1" } },
    ]);
  });

  test("has each citation once", async () => {
    const url = { type: "url_citation", url: "https://a.example", title: "A", start_index: 0, end_index: 2 };
    const file = { type: "file_citation", file_id: "file_1", filename: "a.pdf", index: 3 };
    const path = { type: "file_path", file_id: "file_2", index: 4 };
    const annotation = (annotation: object, annotation_index: number): object =>
      event("output_text.annotation.added", { content_index: 0, annotation, annotation_index });
    const whole = { type: "output_text", text: "ab", annotations: [url, file, path] };
    expect(
      await contentOf(
        added(message),
        textDelta("ab"),
        annotation(url, 0),
        annotation(file, 1),
        done({ ...message, content: [whole] }),
      ),
    ).toEqual([
      {
        type: "text",
        text: "ab",
        annotations: [
          { type: "citation", url: "https://a.example", title: "A", startIndex: 0, endIndex: 2 },
          { type: "citation", title: "a.pdf", metadata: file },
          { type: "non_standard_annotation", value: path },
        ],
        metadata: { id: "msg_1" },
      },
    ]);
  });

  test("has each token log probability once, in the message", async () => {
    const a = { token: "a", logprob: -1 };
    const b = { token: "b", logprob: -2 };
    const events = [
      textDelta("a", { logprobs: [a] }),
      textDelta("b", { logprobs: [b] }),
      event("output_text.done", { content_index: 0, text: "ab", logprobs: [a, b] }),
      completed(),
    ];
    const chunks = await chunksOf(events);
    expect(chunks.map(({ metadataDelta }) => metadataDelta)).toEqual([
      { logprobs: [a] },
      { logprobs: [b] },
      undefined,
    ]);
    expect(toAssistantMessage(...chunks).metadata).toEqual({ logprobs: [a, b] });
    const whole = [
      event("output_text.done", { content_index: 0, text: "ab", logprobs: [a, b] }),
      completed(),
    ];
    expect(toAssistantMessage(...(await chunksOf(whole))).metadata).toEqual({ logprobs: [a, b] });
  });

  test("that is a refusal is not a text", async () => {
    const part = { type: "refusal", refusal: "I can't." };
    expect(
      await messageOf(
        added(message),
        event("refusal.delta", { content_index: 0, delta: "I " }),
        event("refusal.delta", { content_index: 0, delta: "can't" }),
        event("refusal.done", { content_index: 0, refusal: "I can't." }),
        done({ ...message, content: [part] }),
      ),
    ).toMatchObject({ content: [], refusal: "I can't." });
  });
});

describe("reasoning", () => {
  const item = { type: "reasoning", id: "rs_1", summary: [] };
  const summary = (type: string, fields: object, summary_index = 0): object =>
    event(`reasoning_summary_text.${type}`, { summary_index, ...fields });

  test("has a block for each part of its summary; the first has the encrypted reasoning", async () => {
    expect(
      await contentOf(
        added({ ...item, encrypted_content: "not yet" }),
        summary("delta", { delta: "Hm" }),
        summary("done", { text: "Hm." }),
        summary("delta", { delta: "So" }, 1),
        done({ ...item, summary: [{ text: "Hm." }, { text: "So." }], encrypted_content: "gAAAA" }),
      ),
    ).toEqual([
      {
        type: "reasoning",
        reasoning: "Hm.",
        metadata: { id: "rs_1", type: "summary_text", encrypted_content: "gAAAA" },
      },
      { type: "reasoning", reasoning: "So.", metadata: { id: "rs_1", type: "summary_text" } },
    ]);
  });

  test("that the server sends in full", async () => {
    expect(
      await contentOf(
        event("reasoning_text.delta", { item_id: "rs_1", content_index: 0, delta: "H" }),
        event("reasoning_text.done", { content_index: 0, text: "Hm" }),
      ),
    ).toEqual([{ type: "reasoning", reasoning: "Hm", metadata: { id: "rs_1", type: "reasoning_text" } }]);
  });

  test("without visible text is an empty block, so that it can be sent back", async () => {
    expect(await contentOf(added(item), done(item))).toEqual([
      { type: "reasoning", reasoning: "", metadata: { id: "rs_1" } },
    ]);
  });
});

describe("a call of a client tool", () => {
  const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "" };

  test("streams its arguments and ends with the finish reason tool_calls", async () => {
    const chunks = await chunksOf([
      added(item),
      event("function_call_arguments.delta", { delta: '{"a":' }),
      event("function_call_arguments.delta", { delta: "1}" }),
      event("function_call_arguments.done", { arguments: '{"a":1}' }),
      done({ ...item, arguments: '{"a":1}' }),
      completed(),
    ]);
    expect(chunks.map(({ content: [block] }) => block)).toEqual([
      { type: "tool_call_chunk", index: 0, id: "call_1", name: "f", metadata: { id: "fc_1" } },
      { type: "tool_call_chunk", index: 0, args: '{"a":' },
      { type: "tool_call_chunk", index: 0, args: "1}" },
      undefined,
    ]);
    expect(chunks.at(-1)).toMatchObject({ finishReason: "tool_calls", providerFinishReason: "completed" });
  });

  test("that only the end event contains is complete", async () => {
    expect(await contentOf(done({ ...item, arguments: '{"a":1}' }))).toEqual([
      { type: "tool_call", id: "call_1", name: "f", args: { a: 1 }, metadata: { id: "fc_1" } },
    ]);
  });

  test("two parallel calls stay separate", async () => {
    const second = { ...item, id: "fc_2", call_id: "call_2", name: "g" };
    expect(
      await contentOf(
        added(item),
        added(second, 1),
        event("function_call_arguments.delta", { delta: "{}" }, 1),
        event("function_call_arguments.delta", { delta: '{"a":1}' }),
      ),
    ).toMatchObject([
      { type: "tool_call", id: "call_1", args: { a: 1 } },
      { type: "tool_call", id: "call_2", args: {} },
    ]);
  });

  test("that is truncated at the token limit has the finish reason length", async () => {
    const [block] = await chunksOf([
      done({ ...item, arguments: '{"a":', status: "incomplete" }),
      { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } },
    ]).then(async (chunks) => (await last(pipe(from(chunks), mergeChunks())))?.content ?? []);
    expect(block).toMatchObject({
      type: "invalid_tool_call",
      args: '{"a":',
      error: expect.stringMatching(/token limit/) as string,
    });
  });

  test("of a free-text tool has the argument input", async () => {
    const custom = { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "sql", input: "" };
    expect(
      await contentOf(
        added(custom),
        event("custom_tool_call_input.delta", { delta: 'SELECT "a"' }),
        event("custom_tool_call_input.delta", { delta: "\nFROM b\ud83d" }),
        event("custom_tool_call_input.delta", { delta: "\ude00" }),
        event("custom_tool_call_input.done", { input: 'SELECT "a"\nFROM b😀' }),
        done({ ...custom, input: 'SELECT "a"\nFROM b😀' }),
      ),
    ).toEqual([
      {
        type: "tool_call",
        id: "call_1",
        name: "sql",
        args: { input: 'SELECT "a"\nFROM b😀' },
        metadata: { id: "ctc_1", type: "custom_tool_call" },
      },
    ]);
  });
});

describe("a tool that OpenAI runs", () => {
  const web = {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "a", sources: [{ type: "url", url: "https://a.example" }] },
  };
  const code = {
    type: "code_interpreter_call",
    id: "ci_1",
    status: "completed",
    code: 'print("é")\n1',
    container_id: "cntr_1",
    outputs: [{ type: "logs", logs: "é" }],
  };
  const files = { type: "file_search_call", id: "fs_1", status: "completed", queries: ["a"], results: null };
  const mcp = {
    type: "mcp_call",
    id: "mcp_1",
    name: "roll",
    server_label: "dice",
    arguments: '{"n":2}',
    output: "7",
    error: null,
  };

  test("yields its call immediately, then its result", async () => {
    expect(
      await chunksOf([
        added({ type: "web_search_call", id: "ws_1", status: "in_progress" }),
        event("web_search_call.in_progress", { item_id: "ws_1" }),
        event("web_search_call.searching", { item_id: "ws_1" }),
        event("web_search_call.completed", { item_id: "ws_1" }),
        done(web),
      ]).catch((error: unknown) => error),
    ).toMatchObject({ code: "cut" });
    const chunks: MessageChunk[] = [];
    const events = [added({ type: "web_search_call", id: "ws_1" }), done(web), completed()];
    chunks.push(...(await chunksOf(events)));
    expect(chunks[0]?.content).toEqual([
      { type: "server_tool_call_chunk", index: 0, id: "ws_1", name: "web_search" },
    ]);
    expect((await last(pipe(from(chunks), mergeChunks())))?.content).toEqual([
      {
        type: "server_tool_call",
        id: "ws_1",
        name: "web_search",
        args: { type: "search", query: "a" },
        metadata: web,
      },
      { type: "server_tool_result", toolCallId: "ws_1", status: "success", output: web.action.sources },
    ]);
  });

  test("streams the code that it runs", async () => {
    const chunks = await chunksOf([
      added({ ...code, code: "", outputs: null }),
      event("code_interpreter_call_code.delta", { delta: 'print("' }),
      event("code_interpreter_call_code.delta", { delta: 'é")\n1' }),
      event("code_interpreter_call_code.done", { code: code.code }),
      event("code_interpreter_call.interpreting", {}),
      done(code),
      completed(),
    ]);
    const messages = await collect(pipe(from(chunks), mergeChunks()));
    expect(messages[1]?.content).toMatchObject([{ snapshot: { code: 'print("' } }]);
    expect(messages.at(-1)?.content).toEqual([
      {
        type: "server_tool_call",
        id: "ci_1",
        name: "code_interpreter",
        args: { code: code.code, container_id: "cntr_1" },
        metadata: code,
      },
      { type: "server_tool_result", toolCallId: "ci_1", status: "success", output: code.outputs },
    ]);
  });

  test("streams the arguments of an MCP tool", async () => {
    expect(
      await contentOf(
        added({ ...mcp, arguments: "", output: null }),
        event("mcp_call_arguments.delta", { delta: '{"n"' }),
        event("mcp_call_arguments.done", { arguments: '{"n":2}' }),
        event("mcp_call.completed"),
        done(mcp),
      ),
    ).toEqual([
      { type: "server_tool_call", id: "mcp_1", name: "roll", args: { n: 2 }, metadata: mcp },
      { type: "server_tool_result", toolCallId: "mcp_1", status: "success", output: "7" },
    ]);
  });

  test("has only a status if there is no result", async () => {
    expect((await contentOf(done(files)))[1]).toEqual({
      type: "server_tool_result",
      toolCallId: "fs_1",
      status: "success",
    });
  });

  test.each([
    ["an error", { ...mcp, output: null, error: "no dice" }, "no dice"],
    ["a failure", { ...code, status: "failed", outputs: null }, undefined],
  ])("that ends with %s has that status", async (_, item, output) => {
    expect((await contentOf(done(item)))[1]).toEqual({
      type: "server_tool_result",
      toolCallId: item.id,
      status: "error",
      ...(output === undefined ? undefined : { output }),
    });
  });

  test("streams shell commands; their output is a separate item", async () => {
    const call = {
      type: "shell_call",
      id: "sh_1",
      call_id: "call_1",
      status: "completed",
      action: { commands: ['ls "a"', "pwd"], timeout_ms: null },
    };
    const output = {
      type: "shell_call_output",
      id: "sho_1",
      call_id: "call_1",
      output: [{ stdout: "/", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
    };
    const command = (type: string, command_index: number, delta?: string): object =>
      event(`shell_call_command.${type}`, { command_index, delta });
    expect(
      await contentOf(
        added({ ...call, action: { commands: [] } }),
        command("added", 0),
        command("delta", 0, "ls "),
        command("delta", 0, '"a"'),
        command("done", 0),
        command("added", 1),
        command("delta", 1, "pwd"),
        done(call),
        added({ ...output, output: [] }, 1),
        done(output, 1),
      ),
    ).toEqual([
      {
        type: "server_tool_call",
        id: "call_1",
        name: "shell",
        args: { commands: ['ls "a"', "pwd"], timeout_ms: null },
        metadata: call,
      },
      {
        type: "server_tool_result",
        toolCallId: "call_1",
        status: "success",
        output: output.output,
        metadata: output,
      },
    ]);
  });

  test("yields an image after previews of it", async () => {
    const item = { type: "image_generation_call", id: "ig_1", status: "completed", output_format: "webp" };
    const sketch = event("image_generation_call.partial_image", { partial_image_b64: "AA==" });
    expect(
      await contentOf(
        added({ ...item, status: "in_progress", result: null }),
        event("image_generation_call.generating"),
        sketch,
        done({ ...item, result: "AAAA" }),
      ),
    ).toEqual([
      { type: "non_standard", value: sketch },
      { type: "image", data: "AAAA", mimeType: "image/webp", metadata: item },
    ]);
  });

  test.each([
    "mcp_list_tools",
    "mcp_approval_request",
    "computer_call",
    "apply_patch_call",
    "local_shell_call",
    "compaction",
    "of_the_future",
  ])("and has no block here is non_standard: %s", async (type) => {
    const item = { type, id: "x_1", status: "completed", what: ["ever"] };
    expect(await contentOf(added(item), event(`${type}.in_progress`), done(item))).toEqual([
      { type: "non_standard", value: item },
    ]);
  });
});

describe("other events", () => {
  test("speech", async () => {
    expect(
      await contentOf(
        { type: "response.audio.delta", delta: "QQ==" },
        { type: "response.audio.transcript.delta", delta: "Hi" },
        { type: "response.audio.delta", delta: "Qg==" },
        { type: "response.audio.done" },
        { type: "response.audio.transcript.done" },
      ),
    ).toEqual([{ type: "audio", data: "QUI=", transcript: "Hi" }]);
  });

  test("without an item are non_standard, and keepalive events are ignored", async () => {
    const news = { type: "response.of_the_future", what: "ever" };
    expect(await contentOf({ type: "keepalive", sequence_number: 3 }, news)).toEqual([
      { type: "non_standard", value: news },
    ]);
  });
});

describe("an error", () => {
  test.each([
    ["in an event", { type: "error", code: "server_error", message: "Oops", param: null }],
    ["inside an event", { type: "error", error: { type: "server_error", message: "Oops" } }],
    [
      "that the response failed with",
      { type: "response.failed", response: { error: { code: "server_error", message: "Oops" } } },
    ],
    ["instead of an event", { error: { code: "server_error", message: "Oops" } }],
  ])("%s", async (_, failing) => {
    const error = await errorOf(textDelta("a"), failing);
    expect(error).toMatchObject({ code: "provider", providerCode: "server_error", retryable: true });
    expect(error.message).toMatch(/: Oops$/);
  });

  test("of a response that was cancelled, whose calls may not be all", async () => {
    const error = await errorOf(textDelta("a"), {
      type: "response.cancelled",
      response: { status: "cancelled" },
    });
    expect(error).toMatchObject({ code: "provider", providerCode: "cancelled" });
  });

  test("without a reason", async () => {
    const error = await errorOf({ type: "response.failed", response: { error: null } });
    expect(error.message).toMatch(/the response has failed$/);
  });

  test.each([
    ["the connection ends in the middle", [textDelta("a")], "cut", /in the middle/],
    ["the connection ends before the message", [created()], "cut", /before the message began/],
    ["the response has no content", [created(), "[DONE]"], "protocol", /without an answer/],
    ["a payload is not an event of the Responses API", [{ choices: [] }], "protocol", /event of a response/],
    ["a payload is not an object", [7], "protocol", /event of a response/],
  ])("where %s", async (_, events, code, sentence) => {
    const error = await errorOf(...events);
    expect(error).toMatchObject({ code, retryable: code === "cut" });
    expect(error.message).toMatch(sentence);
  });
});
