/** What the texts of a language are made of. A `#` becomes a number, a long name or a long text. */
interface Fragments {
  /** What a text may begin with. */
  readonly heads: readonly string[];
  readonly parts: readonly string[];
  /** An ordinary text: its beginning, and a piece that is repeated. */
  readonly usual: readonly [head: string, repeated: string];
}

export type Language =
  | "json"
  | "xml"
  | "list"
  | "patch"
  | "a2ui"
  | "calls"
  | "tags"
  | "sse"
  | "compact"
  | "chat"
  | "responses"
  | "anthropic"
  | "gemini"
  | "ollama"
  | "aiSdk"
  | "langChain"
  | "messages"
  | "aguiBody";

const jsonParts = [
  ...[
    '": ',
    '", "',
    '"; "',
    "，",
    "：",
    "u'a",
    "\\n",
    "\\]",
    '"a": ',
    "```",
    "~~~",
    "//",
    "/*",
    "*/",
    "null",
    "True",
  ],
  ...[
    'b"c',
    "it's ",
    "\\u",
    '\\"',
    '"</p>',
    '"""',
    '" (a)',
    " - a, ",
    "\\d",
    "\\tau",
    ":\\n",
    "C:\\",
    "a b ",
  ],
  ...[
    '{"a":{',
    '{"a":',
    "]",
    "}",
    ")",
    '"} y',
    "] ",
    "]/**/",
    '"k#":1,',
    '"#":',
    '"#",',
    "[1,2],",
    "[1, 'b', ",
    "「a」",
    "「",
    "１２",
    " -> ",
    "a = ",
    '" [a',
    '{"b":"#"},',
    "1e9",
  ],
  ...['" [1]', "】【", ", b: {", "- ", "1. ", "... ", ', and "', "［", "｝", "\\(", "/*a*/1,"],
];
const calls = [
  ...[
    "f(",
    "<parameter=a>",
    '</parameter><parameter name="a">',
    '<invoke name="f">',
    "</invoke>",
    '<|"|>',
    "a=1",
    "[f(",
  ],
  ...[
    "<｜tool▁call▁begin｜>",
    "<|tool_call_begin|>f",
    "a <tool_call>f<arg_key>",
    "<thinking a",
    "</parameter>",
    ")]",
  ],
  ...[
    "<think>",
    "</think>",
    "<think>a</think>",
    "</tool_call>",
    "<tool_call>",
    "<|channel|>commentary to=functions.f",
    "<|message|>{",
    "<|call|>",
    "<escape>",
    "<function_calls>\nf()\n",
    '{"name": "f", "arguments": {',
    "<function=f#>",
    "</function>",
  ],
  ...[
    "[TOOL_CALLS]",
    "<|python_tag|>",
    "```tool_code\n",
    "```json\n",
    "```\n",
    "print(",
    "Action: f\n",
    "f(a=[1,",
  ],
];
const operation = (fields: object): string => `${JSON.stringify({ ...fields })}\n`;
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chat = (delta: object): string => event({ id: "c", choices: [{ index: 0, delta }] });
const part = (...parts: object[]): string =>
  event({ candidates: [{ content: { role: "model", parts }, index: 0 }] });

export const languages: Readonly<Record<Language, Fragments>> = {
  json: {
    usual: ["[", '{"title": "Tea for two", "count": 12, "tags": ["a", "b"]}, '],
    heads: [
      "{",
      "[",
      '{"',
      "{'",
      '["',
      "[[",
      '{"a": ',
      '{"a": "',
      "```json\n",
      "~~~~\n",
      "text ",
      '{"a":{"b":[',
    ],
    parts: jsonParts,
  },
  xml: {
    usual: ["<list>", '<item id="1">Tea for two <b>and</b> more</item>'],
    heads: ["<a>", '<a b="', "<a ", "<a><b>", "<!--", "<a>&", "<![CDATA[", "<!DOCTYPE a [", "text <a>"],
    parts: [
      ...[
        "<a",
        "</a>",
        "<a>",
        "/>",
        "<!--",
        "-->",
        "]]>",
        "&amp;",
        'b="',
        "<?",
        "</think>",
        "<reasoning>",
        "<<a>",
      ],
      ...[
        "(?<a",
        "<a b>",
        "&#",
        'x="1" ',
        "<k#>",
        "</k#>",
        '<a x#="1">',
        "<#>",
        "text #",
        "<br>",
        "<b><i>",
        "</i></b>",
      ],
    ],
  },
  list: {
    usual: ["1. a\n", "- Tea for two\n- and more\n"],
    heads: ["1. ", "- ", "* a", '"', "```\n", "Text:\n\n", "<think>"],
    parts: [
      ...[
        "\n1. ",
        "\n- ",
        "\n  - ",
        "\n\n",
        '""',
        ", ",
        "\n12) ",
        "   ",
        "```",
        "**",
        "1.2. ",
        "\n#. a",
        '"#", ',
      ],
      ...["\n- #", "</think>", "<think>", "\n    code", "\n> "],
    ],
  },
  patch: {
    usual: ["", operation({ op: "add", path: "/title", value: "Tea for two, and more" })],
    heads: [
      operation({ op: "add", path: "", value: {} }),
      operation({ op: "add", path: "", value: { a: [], b: {}, elements: {} } }),
      '{"op": "add", "path": "/a", "value": ["',
      '{"op":"add","path":"/a","value":["#"]}\n',
      "```jsonl\n",
    ],
    parts: [
      '{"op":"add","path":"/a","value":{"k":"#"}}\n',
      operation({ op: "add", path: "/a", value: [] }),
      operation({ op: "add", path: "/a/-", value: 1 }),
      operation({ op: "add", path: "/a/0", value: "#" }),
      operation({ op: "add", path: "/#", value: { a: [] } }),
      operation({ op: "add", path: "/#/x", value: 1 }),
      operation({ op: "add", path: "/a/b#/c", value: "#" }),
      operation({ op: "add", path: "/elements/e#", value: { type: "T", props: {}, children: [] } }),
      operation({ op: "replace", path: "/a", value: "#" }),
      operation({ op: "replace", path: "", value: { a: [1, 2], b: {} } }),
      operation({ op: "replace", path: "/a", value: [1, true] }),
      operation({ op: "append", path: "/b", value: "#" }),
      operation({ op: "remove", path: "/a" }),
      operation({ op: "remove", path: "/a/0" }),
      operation({ op: "move", from: "/a", path: "/b" }),
      operation({ op: "move", from: "/b", path: "/a" }),
      operation({ op: "move", from: "/a/0", path: "/a/-" }),
      operation({ op: "copy", from: "/a", path: "/b" }),
      operation({ op: "copy", from: "", path: "/a/-" }),
      operation({ op: "copy", from: "/a", path: "/b/#" }),
      operation({ op: "test", path: "/a", value: [1] }),
      operation({ op: "test", path: "", value: {} }),
      ...["}\n", '{"op":"add","path":"', '"value":[', '{"op"', ...jsonParts.slice(0, 12)],
      '{"op":"add","path":"/a","value":',
    ],
  },
  a2ui: {
    usual: [
      operation({ version: "v0.9", createSurface: { surfaceId: "s", catalogId: "c" } }),
      operation({
        version: "v0.9",
        updateDataModel: { surfaceId: "s", path: "/b/title", value: "Tea for two" },
      }),
    ],
    heads: [
      operation({ version: "v0.9", createSurface: { surfaceId: "s", catalogId: "c" } }),
      operation({ version: "v0.9", updateDataModel: { surfaceId: "s", path: "/", value: { a: [], b: {} } } }),
    ],
    parts: [
      operation({ version: "v0.9", createSurface: { surfaceId: "s#", catalogId: "c" } }),
      operation({ version: "v0.9", deleteSurface: { surfaceId: "s" } }),
      operation({ version: "v0.9", updateDataModel: { surfaceId: "s", path: "/a/#", value: "#" } }),
      operation({ version: "v0.9", updateDataModel: { surfaceId: "s", path: "/a/0", value: { k: 1 } } }),
      operation({ version: "v0.9", updateDataModel: { surfaceId: "s", path: "/b/k#", value: [1] } }),
      operation({ version: "v0.9", updateDataModel: { surfaceId: "lost#", path: "/b", value: 1 } }),
      operation({
        version: "v0.9",
        updateComponents: { surfaceId: "s", components: [{ id: "c#", component: "Text", text: "#" }] },
      }),
      ...["}\n", '{"version":"v0.9",', '"updateDataModel":{', ...jsonParts.slice(0, 8)],
    ],
  },
  calls: {
    usual: ["", '<tool_call>{"name": "f", "arguments": {"a": "Tea for two"}}</tool_call> text '],
    heads: [
      ...[
        "<tool_call>",
        '{"name": "f", "arguments": {"a": "',
        "[TOOL_CALLS] [",
        '[f(a="',
        "<function=f>",
        "<think>",
      ],
      ...['a <invoke name="f"><parameter name="a">', 'For <tool_call>{"name": "f", "arguments": {"a": "'],
      ...["<start_function_call>call:f{a:<escape>", "<|channel|>commentary to=functions.f<|message|>"],
      ...['<|tool_call>call:f{a:<|"|>', "<｜tool▁calls▁begin｜>f", "<|python_tag|>", "```tool_code\n"],
    ],
    parts: [...calls, ...jsonParts],
  },
  tags: {
    usual: ["text <b>", "Tea for two, and more. "],
    heads: ["<a>", "<think>", "<a>{", "text <b>", "<c>- "],
    parts: [
      "</a>",
      "<b>",
      "</b>",
      "<a>",
      "<",
      "</",
      "<c>",
      "</c>",
      "<think>",
      "\n- #",
      "<a#>",
      ...jsonParts.slice(0, 20),
    ],
  },
  sse: {
    usual: ["", 'data: {"a":"Tea for two"}\n\n'],
    heads: ["data: ", "\uFEFF", ":\n\n", "event: a\ndata: "],
    parts: [
      "data: #\n",
      "\n",
      "\n\n",
      "\r",
      "\r\n",
      ":",
      "id: #\n",
      "event: e\n",
      "retry: 1\n",
      "data\n",
      "data: x\n\n",
      "{}\n",
    ],
  },
  compact: {
    usual: ['0,{"op":"replace","path":"","value":{"a":""}}\n', '"Tea for two"\n'],
    heads: [
      '0,{"op":"replace","path":"","value":',
      '0,{"op":"append","path":"/#","value":"',
      '0,{"op":"add","path":"/',
      "id: #\n",
      "id: 1-",
      "-1,",
    ],
    parts: [
      '{"a":',
      '{"#":"#"}\n',
      "[",
      "[1],",
      "]}",
      "}\n",
      '"#"\n',
      '"a",',
      "1,",
      "#,",
      "-1,",
      "-1,9e9,",
      "a/",
      '","value":1}\n',
      "0,{}",
      "\n",
      "id: #\n",
    ],
  },
  chat: {
    usual: ["", chat({ content: "Tea for two" })],
    heads: [chat({ role: "assistant", content: "" })],
    parts: [
      chat({ content: "a" }),
      chat({ annotations: [{ type: "url_citation", url_citation: { url: "#", title: "t" } }] }),
      chat({ reasoning_content: "a" }),
      chat({ reasoning_details: [{ type: "reasoning.text", text: "a", index: 0 }] }),
      chat({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
      chat({ tool_calls: [{ index: 0, id: "i#", function: { name: "f", arguments: "1," } }] }),
      '{"data":1}\n\ndata: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":#,"id":"c#","function":{"name":"f","arguments":"{}"}}]}}]}\n\n',
      chat({ audio: { id: "a", data: "AAAA", transcript: "t" } }),
      chat({ annotations: [{ type: "url_citation", url_citation: { url: "u#", title: "t" } }] }),
      event({
        choices: [
          { index: 0, delta: { content: "a" }, logprobs: { content: [{ token: "a", logprob: -1 }] } },
        ],
      }),
      event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
      event({ "x#": 1, choices: [{ index: 0, delta: { content: "b" } }] }),
    ],
  },
  responses: {
    usual: [
      "",
      event({
        type: "response.output_text.delta",
        item_id: "m",
        output_index: 0,
        content_index: 0,
        delta: "Tea for two",
      }),
    ],
    heads: [event({ type: "response.created", response: { id: "r", model: "m", status: "in_progress" } })],
    parts: [
      event({
        type: "response.output_item.added",
        output_index: 0,
        item: { id: "m#", type: "message", content: [] },
      }),
      event({
        type: "response.output_text.delta",
        item_id: "m0",
        output_index: 0,
        content_index: 0,
        delta: "a",
      }),
      event({
        type: "response.output_item.added",
        output_index: 1,
        item: { id: "c#", type: "function_call", name: "f", call_id: "i#", arguments: "" },
      }),
      event({
        type: "response.function_call_arguments.delta",
        item_id: "c0",
        output_index: 1,
        delta: '{"a":',
      }),
      event({
        type: "response.reasoning_summary_text.delta",
        item_id: "r",
        output_index: 2,
        summary_index: 0,
        delta: "a",
      }),
      event({
        type: "response.output_text.annotation.added",
        item_id: "m0",
        output_index: 0,
        content_index: 0,
        annotation: { type: "url_citation", url: "u#", title: "t", start_index: 0, end_index: 1 },
      }),
      '{}\n\ndata: {"type":"response.output_item.added","output_index":#,"item":{"id":"n#","type":"message","content":[]}}\n\n',
    ],
  },
  anthropic: {
    usual: [
      "",
      event({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: "Tea for two" },
      }),
    ],
    heads: [
      event({
        type: "message_start",
        message: {
          id: "m",
          model: "m",
          role: "assistant",
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
    ],
    parts: [
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } }),
      event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "a" } }),
      event({
        type: "content_block_delta",
        index: 0,
        delta: {
          type: "citations_delta",
          citation: { type: "char_location", cited_text: "c", document_index: 0 },
        },
      }),
      event({
        type: "content_block_delta",
        index: 1,
        delta: { type: "input_json_delta", partial_json: '{"a":' },
      }),
      event({
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "t", name: "f", input: {} },
      }),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }),
      '{}\n\ndata: {"type":"content_block_start","index":#,"content_block":{"type":"text","text":"#"}}\n\n',
    ],
  },
  gemini: {
    usual: ["", part({ text: "Tea for two" })],
    heads: [part({ text: "a" })],
    parts: [
      part({ text: "a" }),
      part({ text: "a", thought: true }),
      part({ functionCall: { name: "f", args: { a: "#" } } }),
      part({ functionCall: { partialArgs: [{ jsonPath: "$.a", stringValue: "x" }], willContinue: true } }),
      part({ functionCall: { partialArgs: [{ jsonPath: "$.a[#]", numberValue: 1 }], willContinue: true } }),
      part({
        functionCall: { partialArgs: [{ jsonPath: "$.b#[999]", numberValue: 1 }], willContinue: true },
      }),
      part({ inlineData: { mimeType: "image/png", data: "AAAA" } }),
      part({ executableCode: { language: "PYTHON", code: "a" } }),
      event({
        candidates: [
          { groundingMetadata: { groundingChunks: [{ web: { uri: "u#", title: "t" } }] }, index: 0 },
        ],
      }),
      event({
        candidates: [
          {
            index: 0,
            groundingMetadata: {
              groundingChunks: [{ a: 1, b: 2, c: 3, web: { uri: "u#", a: 1, b: 2, c: 3 } }],
              groundingSupports: [{ groundingChunkIndices: Array<number>(50).fill(0) }],
            },
          },
        ],
      }),
    ],
  },
  ollama: {
    usual: [
      "",
      operation({ model: "m", message: { role: "assistant", content: "Tea for two" }, done: false }),
    ],
    heads: [operation({ model: "m", message: { role: "assistant", content: "" }, done: false })],
    parts: [
      operation({ message: { role: "assistant", content: "a" }, done: false }),
      operation({ message: { role: "assistant", content: "", thinking: "a" }, done: false }),
      operation({
        message: {
          role: "assistant",
          content: "",
          tool_calls: [{ function: { name: "f", arguments: { a: "#" } } }],
        },
        done: false,
      }),
      operation({
        message: { role: "assistant", content: "b" },
        logprobs: [{ token: "b", logprob: -1 }],
        done: false,
      }),
    ],
  },
  aiSdk: {
    usual: ["", operation({ type: "text-delta", id: "0", text: "Tea for two", delta: "Tea for two" })],
    heads: [
      operation({ type: "tool-input-start", id: "c", toolName: "f" }),
      operation({ type: "text-start", id: "0", providerMetadata: { p: { a: Array(2_000).fill(1) } } }),
    ],
    parts: [
      operation({ type: "text-delta", id: "#", text: "a", delta: "a" }),
      operation({ type: "text-delta", id: "0", text: "a", delta: "a", providerMetadata: { p: { b: "#" } } }),
      operation({
        type: "reasoning-delta",
        id: "0",
        text: "a",
        delta: "a",
        providerMetadata: { q: { b: 1 } },
      }),
      operation({ type: "tool-input-delta", id: "c", delta: '{"a":' }),
      operation({ type: "tool-input-start", id: "c#", toolName: "f" }),
      operation({ type: "tool-call", toolCallId: "c#", toolName: "f", input: "{}" }),
      operation({
        type: "tool-result",
        toolCallId: "c#",
        toolName: "f",
        result: "#",
        providerExecuted: true,
      }),
      operation({ type: "source", id: "s#", url: "u#", title: "t", providerMetadata: { p: { a: 1 } } }),
      operation({ type: "stream-start", warnings: [{ type: "other", message: "#" }] }),
      operation({ type: "response-metadata", id: "r", modelId: "m" }),
      operation({ type: "file", mediaType: "image/png", data: "AAAA", file: { base64: "AAAA" } }),
    ],
  },
  langChain: {
    usual: ["", operation({ content: "Tea for two" })],
    heads: [
      operation({ content: "", response_metadata: { a: Array(2_000).fill(1) } }),
      operation({ content: [{ type: "text", text: "a", index: 0 }] }),
    ],
    parts: [
      operation({ content: "a" }),
      operation({ content: [{ type: "text", text: "a", index: 0 }] }),
      operation({ content: [{ type: "reasoning", reasoning: "a" }] }),
      operation({ content: [{ type: "odd", a: "#" }] }),
      operation({ content: "", tool_call_chunks: [{ index: 0, args: '{"a":' }] }),
      operation({ content: "", tool_call_chunks: [{ index: 0, id: "c#", name: "f", args: "1," }] }),
      operation({ content: "", tool_calls: [{ id: "c#", name: "f", args: { a: "#" } }] }),
      operation({ content: "", additional_kwargs: { reasoning_content: "a" } }),
      operation({ content: "", additional_kwargs: { a: [1] }, response_metadata: { b: "#" } }),
      operation({ content: "", usage_metadata: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }),
    ],
  },
  messages: {
    usual: ["", '{"role":"user","content":"Tea for two"},'],
    heads: [],
    parts: [
      '{"role":"user","content":"#"},',
      '{"role":"assistant","content":[{"type":"text","text":"a"}]},',
      '{"role":"assistant","content":null,"tool_calls":[{"id":"c#","type":"function","function":{"name":"f","arguments":"{}"}}]},',
      '{"role":"tool","tool_call_id":"c#","content":"#"},',
      '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},',
      '{"role":"system","content":"a"},',
    ],
  },
  aguiBody: {
    usual: ["", '{"id":"m","role":"user","content":"Tea for two","parts":[{"type":"text","text":"Tea"}]},'],
    heads: [],
    parts: [
      '{"id":"m#","role":"user","content":"#"},',
      '{"id":"m#","role":"assistant","content":"","toolCalls":[{"id":"c#","type":"function","function":{"name":"f","arguments":"{}"}}]},',
      '{"id":"m#","role":"tool","toolCallId":"c#","content":"#"},',
      '{"id":"m#","role":"user","parts":[{"type":"text","text":"#"}]},',
      '{"id":"m#","role":"assistant","parts":[{"type":"tool-f","toolCallId":"c#","state":"output-available","input":{},"output":1},{"type":"step-start"}]},',
      '{"id":"m#","role":"assistant","parts":[{"type":"reasoning","text":"a"},{"type":"text","text":"b"}]},',
    ],
  },
};
