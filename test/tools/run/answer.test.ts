import { collect, tool, toolMessage } from "millrace";
import { ToolError, runTool } from "millrace/agent";
import { describe, expect, test } from "vitest";
import { eventsOf, toldBy } from "../support.js";

const giving = (value: unknown): ReturnType<typeof tool> => tool({ name: "it", run: () => value }) as never;
const call = { input: "" };

describe("the content of a result", () => {
  const results: readonly [string, unknown, unknown[]][] = [
    ["a string as it is", "4 °C", [{ type: "text", text: "4 °C" }]],
    ["nothing for undefined", undefined, []],
    ["nothing for an empty string", "", []],
    ["null as JSON", null, [{ type: "text", text: "null" }]],
    ["a number as JSON", 0, [{ type: "text", text: "0" }]],
    ["false as JSON", false, [{ type: "text", text: "false" }]],
    ["an object as JSON", { a: [1] }, [{ type: "text", text: '{"a":[1]}' }]],
    ["an empty array as JSON", [], [{ type: "text", text: "[]" }]],
    ["an array of strings as JSON", ["a", "b"], [{ type: "text", text: '["a","b"]' }]],
    ["an array of data as JSON", [{ day: "Mon" }], [{ type: "text", text: '[{"day":"Mon"}]' }]],
    ["data with a type as JSON", [{ type: "sunny" }], [{ type: "text", text: '[{"type":"sunny"}]' }]],
    [
      "blocks with something else among them as JSON",
      [{ type: "text", text: "a" }, { type: "sunny" }],
      [{ type: "text", text: '[{"type":"text","text":"a"},{"type":"sunny"}]' }],
    ],
    [
      "blocks as they are",
      [
        { type: "text", text: "a" },
        { type: "image", url: "https://example.com/a.png" },
        { type: "non_standard", value: 1 },
      ],
      [
        { type: "text", text: "a" },
        { type: "image", url: "https://example.com/a.png" },
        { type: "non_standard", value: 1 },
      ],
    ],
    [
      "OpenAI-style parts as blocks",
      [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }],
      [{ type: "image", url: "https://example.com/a.png" }],
    ],
  ];
  const rows = [
    { type: "text", value: "x" },
    { type: "text", text: { md: "x" } },
    { type: "text-plain", title: "x" },
    { type: "file", name: "a.txt", size: 3 },
    { type: "image", url: 3 },
    { type: "video", id: "v1" },
    { type: "reasoning", reasoning: "x" },
    { type: "tool_call", id: "1", name: "x", args: {} },
    { type: "image_url", image_url: 3 },
    { type: "document", pages: 3 },
  ];
  test.each(rows)("a row like %j as JSON", async (row) => {
    expect(await toldBy(giving([row]), call)).toBe(JSON.stringify([row]));
  });

  test.each(results)("%s", async (_name, value, content) => {
    expect(await eventsOf(giving(value), call)).toEqual([
      {
        type: "result",
        value,
        message: { role: "tool", content, toolCallId: "call_1", name: "it", status: "success" },
      },
    ]);
  });

  test("a tool message that the tool returns is kept, except for the id and name of the call", async () => {
    const made = toolMessage("none left", {
      toolCallId: "other",
      status: "error",
      artifact: { left: 0 },
      metadata: { a: 1 },
    });
    expect(await eventsOf(giving(made), call)).toMatchObject([
      { type: "result", message: { ...made, toolCallId: "call_1", name: "it" } },
    ]);
    expect(await toldBy(giving({ role: "tool", content: "as a text" }), call)).toBe("as a text");
  });

  test("of a tool message has only its fields, as plain data", async () => {
    const message = { role: "tool", content: "x", artifact: new Date(0), metadata: { at: new Date(0) } };
    const [event] = await eventsOf(giving({ ...message, status: "weird", other: 1n }), call);
    expect(event?.type === "result" && event.message).toEqual({
      role: "tool",
      content: [{ type: "text", text: "x" }],
      toolCallId: "call_1",
      name: "it",
      status: "success",
      artifact: "1970-01-01T00:00:00.000Z",
      metadata: { at: "1970-01-01T00:00:00.000Z" },
    });
  });
});

describe("a result that cannot be converted", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const refused: readonly [string, unknown, string][] = [
    ["a bigint", 1n, "bigint"],
    ["a cycle", cycle, "contains itself"],
    ["a function", () => 1, "it is a function"],
    ["a symbol", Symbol("a"), "it is a symbol"],
    ["data in a block", [{ type: "non_standard", value: 1n }], "bigint"],
    ["the artifact of a message", { role: "tool", content: "", artifact: 1n }, "bigint"],
    ["the metadata of a message", { role: "tool", content: "", metadata: { a: 1n } }, "bigint"],
    [
      "what throws",
      {
        toJSON: () => {
          throw new Error("not me");
        },
      },
      "not me",
    ],
  ];
  test.each(refused)("%s is a clear error", async (_name, value, reason) => {
    const [event] = await eventsOf(giving(value), call);
    expect(event).toMatchObject({ type: "error", message: { status: "error" }, error: { code: "result" } });
    expect(await toldBy(giving(value), call)).toMatch(/"it".*JSON: [^\n]*\.$/);
    expect(await toldBy(giving(value), call)).toContain(reason);
  });
});

describe("content and artifact", () => {
  const both = (value: unknown): ReturnType<typeof tool> =>
    tool({ name: "it", output: "content_and_artifact", run: () => value }) as never;

  test("the model gets the content, the message has the artifact as plain data", async () => {
    const rows = { at: new Date(0), list: [1] };
    const [event] = await eventsOf(both(["1 row", rows]), call);
    expect(event).toMatchObject({ value: ["1 row", rows], message: { content: [{ text: "1 row" }] } });
    expect(event).toHaveProperty("message.artifact", { at: "1970-01-01T00:00:00.000Z", list: [1] });
    rows.list.push(2);
    expect(event).toHaveProperty("message.artifact.list", [1]);
  });

  test("the artifact can be undefined or null", async () => {
    expect((await eventsOf(both(["a", undefined]), call))[0]).not.toHaveProperty("message.artifact");
    expect((await eventsOf(both(["a", null]), call))[0]).toHaveProperty("message.artifact", null);
  });

  test.each([
    ["a string", "1 row", "a value of type string"],
    ["undefined", undefined, "a value of type undefined"],
    ["null", null, "null"],
    ["an array of one", ["a"], "an array of 1"],
    ["an array of three", ["a", 1, 2], "an array of 3"],
  ])("%s is a clear error", async (_name, value, found) => {
    expect(await toldBy(both(value), call)).toMatch(
      new RegExp(`"it".*\\[content, artifact\\], .*${found}\\.$`),
    );
  });

  test("an artifact that is not JSON is a clear error", async () => {
    expect(await toldBy(both(["a", 1n]), call)).toMatch(/artifact.*"it".*JSON/);
  });
});

test("with onError: false, a result that cannot be converted is thrown", async () => {
  const it = tool({ name: "it", run: () => 1n, onError: false });
  const run = collect(runTool(it, { id: "1", name: "it", args: call }));
  await expect(run).rejects.toThrow(ToolError);
});
