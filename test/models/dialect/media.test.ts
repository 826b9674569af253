import { type ContentBlock, user } from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { openai } from "millrace/openai";
import { describe, expect, test } from "vitest";

/** The first bytes of files, as they are in base64. */
const files: readonly (readonly [type: string, bytes: number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]],
  ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0, 0, 0x10]],
  ["image/gif", [...Buffer.from("GIF89a"), 1]],
  ["image/webp", [...Buffer.from("RIFF"), 0x24, 0xff, 1, 0, ...Buffer.from("WEBPVP8 ")]],
  ["application/pdf", [...Buffer.from("%PDF-1.7")]],
];

const models = {
  openai: (fetch: typeof globalThis.fetch) => openai({ model: "gpt-5", apiKey: "k", fetch }),
  anthropic: (fetch: typeof globalThis.fetch) => anthropic({ model: "claude-a", apiKey: "k", fetch }),
  gemini: (fetch: typeof globalThis.fetch) => gemini({ model: "gemini-a", apiKey: "k", fetch }),
};

describe.each(Object.entries(models))("a request to %s", (_, model) => {
  const bodyWith = async (block: ContentBlock): Promise<string> => {
    let body = "";
    const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
      body = init?.body as string;
      return Promise.resolve(new Response("{}", { status: 400 }));
    };
    const error: unknown = await model(fetch)
      .invoke([user(block)], { maxRetries: 0 })
      .catch((it: unknown) => it);
    return body === "" ? String(error) : body;
  };

  test("reads a data: URL in capital letters", async () => {
    const body = await bodyWith({ type: "image", url: "DATA:image/png;BASE64,iVBORw0KGgo=" });
    expect(body).toMatch(/"iVBORw0KGgo="|"image_url"/); // OpenAI gets the URL
  });

  test.each(files)("tells %s by its first bytes", async (type, bytes) => {
    const data = Buffer.from(bytes).toString("base64");
    const block = type.startsWith("image/") ? { type: "image", data } : { type: "file", data };
    expect(await bodyWith(block as ContentBlock)).toContain(type);
  });

  test("refuses other data without a type", async () => {
    expect(await bodyWith({ type: "image", data: "AAAA" })).toContain("no mimeType");
  });
});
