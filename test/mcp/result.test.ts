import { textOf, type ContentBlock, type ToolMessage } from "millrace";
import type { ToolEvent } from "millrace/agent";
import type { McpToolsError } from "millrace/mcp";
import { mcpTools, type McpToolsOptions } from "millrace/mcp";
import { describe, expect, test } from "vitest";
import { eventsOf } from "../tools/support.js";
import { clients, connected, definition, listing, WireError, WireServer } from "./support/wire-server.js";

const png = "iVBORw0KGgo=";

describe.each(clients)("the result of a call, with %s", (_name, create) => {
  /** The last event of a call that the server answers so. */
  async function ending(
    answer: unknown,
    options: McpToolsOptions = {},
    fields: object = {},
  ): Promise<Exclude<ToolEvent, { type: "progress" }>> {
    const server = new WireServer({
      ...listing(definition("it", fields)),
      "tools/call": () => {
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    const { tools } = await mcpTools(await connected(create, server), options);
    const last = tools[0] && (await eventsOf(tools[0])).at(-1);
    if (last === undefined || last.type === "progress") throw new Error("The call has not ended.");
    return last;
  }
  const messageOf = async (...args: Parameters<typeof ending>): Promise<ToolMessage> =>
    (await ending(...args)).message;
  const contentOf = async (...content: unknown[]): Promise<readonly ContentBlock[]> =>
    (await messageOf({ content })).content;

  test("is a message with its texts", async () => {
    const message = await messageOf({ content: [{ type: "text", text: "4 °C" }] });
    expect(message).toEqual({
      role: "tool",
      toolCallId: "call_1",
      name: "it",
      status: "success",
      content: [{ type: "text", text: "4 °C" }],
    });
  });

  test("that is an error keeps all blocks and structuredContent, and is not checked", async () => {
    const result = {
      isError: true,
      content: [
        { type: "text", text: "no such city" },
        { type: "image", data: png, mimeType: "image/png" },
      ],
      structuredContent: { code: 7 },
    };
    const outputSchema = { type: "object", properties: { code: { type: "string" } }, required: ["code"] };
    expect(await messageOf(result, {}, { outputSchema })).toMatchObject({
      status: "error",
      content: [
        { type: "text", text: "no such city" },
        { type: "image", data: png, mimeType: "image/png" },
        { type: "text", text: '{"code":7}' },
      ],
      artifact: { code: 7 },
    });
  });

  test("may be an error of the protocol: its text has no paths and no stack", async () => {
    const last = await ending(
      new WireError(-32603, "Cannot read /srv/app/key.pem\n    at run (/srv/app.js:3:5)"),
    );
    expect([last.type, last.message.status]).toEqual(["error", "error"]);
    expect(textOf(last.message)).toMatch(/^The tool "it" failed: .*Cannot read \[path\]/);
    expect(last).toMatchObject({ error: { code: "server", serverCode: -32603, tool: "it" } });
  });

  test("may ask for a page that the user must open: the program gets its address", async () => {
    const data = {
      elicitations: [{ mode: "url", url: "https://x.org/login?t=1", message: "", elicitationId: "1" }],
    };
    const last = await ending(new WireError(-32042, "Log in", data));
    expect(last).toMatchObject({ error: { code: "url_required", urls: ["https://x.org/login?t=1"] } });
    expect(textOf(last.message)).not.toContain("x.org");
  });

  test("becomes media by their types", async () => {
    const of = (mimeType: string): object => ({
      type: "resource",
      resource: { uri: "a://b", blob: png, mimeType },
    });
    expect(
      await contentOf(
        { type: "image", data: png, mimeType: "image/png" },
        { type: "audio", data: png, mimeType: "audio/wav" },
        ...["image/webp", "video/mp4", "application/pdf", "application/gzip; x=1", "?"].map(of),
      ),
    ).toEqual([
      { type: "image", data: png, mimeType: "image/png" },
      { type: "audio", data: png, mimeType: "audio/wav" },
      { type: "image", data: png, mimeType: "image/webp" },
      { type: "video", data: png, mimeType: "video/mp4" },
      { type: "file", data: png, mimeType: "application/pdf", filename: "a://b" },
      { type: "file", data: png, mimeType: "application/gzip", filename: "a://b" },
      { type: "file", data: png, mimeType: "application/octet-stream", filename: "a://b" },
    ]);
  });

  test("keeps the addresses of texts and links", async () => {
    const link = { type: "resource_link", uri: "a://c", name: "c.md", mimeType: "text/markdown" };
    expect(
      await contentOf({ type: "resource", resource: { uri: "a://b", text: "Hello" } }, link, {
        ...link,
        description: "The page",
      }),
    ).toEqual([
      { type: "text-plain", title: "a://b", text: "Hello" },
      { type: "text", text: "[Resource a://c] c.md text/markdown" },
      { type: "text", text: "[Resource a://c] c.md text/markdown The page" },
    ]);
  });

  test("shows what it cannot read as text", async () => {
    expect(
      await contentOf(
        { type: "resource", resource: { uri: "a://b" } },
        { type: "hologram", size: 3 },
        null,
        { type: "text" },
        { type: "image", data: "§" },
      ),
    ).toEqual([
      { type: "text", text: '{"type":"resource","resource":{"uri":"a://b"}}' },
      { type: "text", text: '{"type":"hologram","size":3}' },
      { type: "text", text: "null" },
      { type: "text", text: '{"type":"text"}' },
      { type: "text", text: "[A medium whose data is not base64]" },
    ]);
  });

  test("has structuredContent once, beside other content and alone", async () => {
    const structuredContent = { city: "Oslo", celsius: -4 };
    const text = { type: "text", text: '{ "celsius": -4, "city": "Oslo" }' };
    expect(await messageOf({ content: [text], structuredContent })).toMatchObject({ content: [text] });
    const summary = { type: "text", text: "Cold." };
    expect(await messageOf({ content: [summary], structuredContent })).toMatchObject({
      content: [summary, { type: "text", text: '{"city":"Oslo","celsius":-4}' }],
      artifact: structuredContent,
    });
    expect(await messageOf({ structuredContent })).toMatchObject({
      content: [{ type: "text", text: '{"city":"Oslo","celsius":-4}' }],
      artifact: structuredContent,
    });
    expect((await messageOf({ content: [] })).content).toEqual([]);
  });

  test("is checked against the output schema of its tool, on every page of the list", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const server = new WireServer({
      "tools/list": ({ params }) =>
        params["cursor"] === undefined
          ? { tools: [definition("first", { outputSchema })], nextCursor: "2" }
          : { tools: [definition("second", { outputSchema })] },
      "tools/call": ({ params }) => ({
        content: [],
        structuredContent: (params["arguments"] as { readonly bad?: true }).bad ? { n: "x" } : { n: 1 },
      }),
    });
    const { tools } = await mcpTools(await connected(create, server));
    for (const it of tools) {
      expect((await eventsOf(it)).at(-1)).toMatchObject({ type: "result", message: { artifact: { n: 1 } } });
      expect((await eventsOf(it, { bad: true })).at(-1)).toMatchObject({
        type: "error",
        error: { code: "invalid_result", tool: it.name },
      });
    }
    expect(await ending({ content: [] }, {}, { outputSchema })).toMatchObject({
      error: { code: "invalid_result" },
    });
  });

  test.each([
    ["no object", 7],
    ["content that is no array", { content: "x" }],
  ])("is an error if it is %s", async (_case, result) => {
    expect(await ending(result, { idleTimeout: 20 })).toMatchObject({ type: "error" });
  });

  test("is cut with a note; the artifact has all of it only if asked", async () => {
    const content = [
      { type: "text", text: "a".repeat(30) },
      { type: "resource", resource: { uri: "a://b", text: "b".repeat(30) } },
      { type: "text", text: "c".repeat(30) },
    ];
    const message = await messageOf({ content }, { maxResultChars: 40 });
    expect(message.content).toEqual([
      { type: "text", text: "a".repeat(30) },
      { type: "text-plain", title: "a://b", text: "b".repeat(10) },
      { type: "text", text: "[The result is cut: 50 more characters.]" },
    ]);
    expect(message).not.toHaveProperty("artifact");
    expect((await messageOf({ content }, { maxResultChars: 40, keepResult: true })).artifact).toEqual({
      content,
    });
  });

  test("has at most 1,000 blocks", async () => {
    const content = Array.from({ length: 1_003 }, () => ({ type: "text", text: "x" }));
    expect((await messageOf({ content })).content.at(-1)).toEqual({
      type: "text",
      text: "[The result is cut: 3 more blocks.]",
    });
  });

  test("of 50 MB is an error", async () => {
    const content = [{ type: "text", text: "x".repeat(50_000_000) }];
    const last = await ending({ content });
    expect(last).toMatchObject({ type: "error", error: { code: "too_large" } });
    expect(textOf(last.message).length).toBeLessThan(300);
    const keys = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${"k".repeat(100)}${i}`, 0]));
    const error = (await ending({ structuredContent: keys }, { maxResultSize: 5_000 })) as {
      error: McpToolsError;
    };
    expect(error.error.code).toBe("too_large");
  });

  test("may be nested deeply", async () => {
    const depth = 20_000;
    const structuredContent = JSON.parse('{"a":'.repeat(depth) + "1" + "}".repeat(depth)) as unknown;
    expect(await messageOf({ structuredContent }, { maxResultChars: 100 })).toMatchObject({
      status: "success",
    });
  });
});
