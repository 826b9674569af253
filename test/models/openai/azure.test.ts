import { collect, createAgent, ModelError } from "millrace";
import { gemini } from "millrace/gemini";
import { openai, type OpenAIOptions } from "millrace/openai";
import { describe, expect, test, vi } from "vitest";
import { errorOf } from "../support/models.js";

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const resource = "https://mine.openai.azure.com";

/** What a call with a limit of tokens sends. */
async function sentBy(options: Partial<OpenAIOptions>): Promise<Sent> {
  let sent: Sent | undefined;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers));
    sent = { url, headers, body: JSON.parse(init.body as string) as Sent["body"] };
    return Response.json({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }], output: [] });
  };
  const model = openai({ model: "my-deployment", baseURL: resource, fetch, ...options });
  await collect(model.stream(["system", "Be brief."].join(": "), { maxTokens: 9 }));
  if (sent === undefined) throw new Error("nothing was sent");
  return sent;
}

describe("a model at Azure", () => {
  test("is sent its key as api-key, to the v1 API of the resource", async () => {
    const { url, headers, body } = await sentBy({ apiKey: "the key" });
    expect(url).toBe(`${resource}/openai/v1/chat/completions`);
    expect(headers).toMatchObject({ "api-key": "the key" });
    expect(headers).not.toHaveProperty("authorization");
    expect(body).toMatchObject({ model: "my-deployment", max_completion_tokens: 9 });
    expect(body).not.toHaveProperty("max_tokens");
  });

  test.each([
    [{ api: "responses" }, `${resource}/openai/v1/responses`],
    [
      { apiVersion: "preview", baseURL: `${resource}/openai/v1` },
      `${resource}/openai/v1/chat/completions?api-version=preview`,
    ],
    [
      { apiVersion: "2024-10-21" },
      `${resource}/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21`,
    ],
    [
      { baseURL: `${resource}/openai/deployments/x?api-version=2024-06-01` },
      `${resource}/openai/deployments/x/chat/completions?api-version=2024-06-01`,
    ],
  ] as const)("with %j is asked at %s", async (options, url) => {
    expect((await sentBy({ apiKey: "the key", ...options })).url).toBe(url);
  });

  test.each([
    ["https://a.openai.azure.com", "api-key"],
    ["https://a.openai.azure.us", "api-key"],
    ["https://a.cognitiveservices.azure.com", "api-key"],
    ["https://a.services.ai.azure.com", "api-key"],
    ["https://eastus.api.cognitive.microsoft.com", "api-key"],
    ["https://api.cognitive.microsoft.com.example.org/v1", "authorization"],
    ["https://openai.azure.com.example.org/v1", "authorization"],
    ["https://example.azure.com/v1", "authorization"],
    ["https://api.openai.com/v1", "authorization"],
    ["https://eu.api.openai.com/v1", "authorization"],
  ])("is known by its host: %s", async (baseURL, header) => {
    const { headers, body } = await sentBy({ apiKey: "the key", baseURL });
    expect(Object.keys(headers)).toContain(header);
    const isOfficial = header === "api-key" || baseURL.includes("api.openai.com");
    expect(body).toHaveProperty(isOfficial ? "max_completion_tokens" : "max_tokens");
  });

  test("behind a gateway is known by an option", async () => {
    const { url, headers, body } = await sentBy({
      ...{ server: "azure", apiKey: "the key", baseURL: "https://gateway.example/openai/v1" },
    });
    expect(url).toBe("https://gateway.example/openai/v1/chat/completions");
    expect(headers).toMatchObject({ "api-key": "the key" });
    expect(body).toHaveProperty("max_completion_tokens");
  });

  test("has the abilities of its family, which the name of a deployment does not show", async () => {
    const options = { apiKey: "the key", baseURL: resource } as const;
    const unknown = openai({ model: "my-deployment", ...options });
    expect(unknown.profile).toMatchObject({ structuredOutput: false, reasoning: false });
    const known = openai({ model: "my-deployment", family: "gpt-6.1-terra", ...options });
    expect(known.profile).toEqual(openai({ model: "gpt-6.1-terra", apiKey: "k" }).profile);
    expect(known.model).toBe("my-deployment");
    const roles = async (family?: string): Promise<unknown> => {
      let body = "";
      const fetch = async (_: string, init: RequestInit): Promise<Response> => {
        body = init.body as string;
        return Response.json({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
      };
      await createAgent({
        ...{ model: openai({ model: "my-deployment", family, fetch, ...options }), system: "Be brief." },
      }).invoke("Hi");
      return (JSON.parse(body) as { readonly messages: readonly { readonly role: string }[] }).messages[0]
        ?.role;
    };
    expect([await roles(), await roles("gpt-6.1-terra")]).toEqual(["system", "developer"]);
  });

  test("reads the key and the address from the environment", async () => {
    vi.stubEnv("AZURE_OPENAI_API_KEY", "key of azure");
    vi.stubEnv("AZURE_OPENAI_ENDPOINT", `${resource}/`);
    vi.stubEnv("OPENAI_API_KEY", "key of openai");
    vi.stubEnv("OPENAI_BASE_URL", "");
    try {
      const { url, headers } = await sentBy({ server: "azure", baseURL: undefined });
      expect([url, headers["api-key"]]).toEqual([`${resource}/openai/v1/chat/completions`, "key of azure"]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("a token", () => {
  test("is asked for before each request, and replaces the key", async () => {
    let count = 0;
    const headers: Headers[] = [];
    const fetch = async (_: string, init: RequestInit): Promise<Response> => {
      headers.push(new Headers(init.headers));
      return headers.length === 1
        ? new Response("{}", { status: 500 })
        : Response.json({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
    };
    const token = async (): Promise<string> => `token number ${++count}`;
    const model = openai({ model: "d", baseURL: resource, apiKey: "the key", token, fetch });
    await model.invoke("Hi");
    await model.invoke("Hi");
    expect(headers.map((it) => it.get("authorization"))).toEqual(
      [1, 2, 3].map((n) => `Bearer token number ${n}`),
    );
    expect(headers.map((it) => it.get("api-key"))).toEqual([null, null, null]);
  });

  test("is never in an error, also an older one", async () => {
    let count = 0;
    const fetch = async (_: string, init: RequestInit): Promise<Response> =>
      new Response(
        JSON.stringify({ error: { message: `bad ${new Headers(init.headers).get("authorization") ?? ""}` } }),
        {
          status: 401,
        },
      );
    const token = (): string => `eyJ0eXAi-${++count}-secret-of-entra`;
    const model = openai({ model: "d", baseURL: resource, token, fetch });
    for (let i = 0; i < 3; i++) {
      const error = await errorOf(model.stream("Hi"));
      expect(error).toMatchObject({ status: 401 });
      expect(JSON.stringify([error.message, error.excerpt])).not.toContain("secret-of");
    }
  });

  test.each([
    ["fails", () => Promise.reject(new Error("az login first"))],
    ["is empty", () => " "],
  ])("that %s is no_key", async (_, token) => {
    const model = openai({ model: "d", baseURL: resource, token, maxRetries: 0 });
    const error = await errorOf(model.stream("Hi"));
    expect(error).toBeInstanceOf(ModelError);
    expect(error.code).toBe("no_key");
  });

  test("is sent to other providers, too: Vertex AI", async () => {
    let headers = new Headers();
    const fetch = async (_: string, init: RequestInit): Promise<Response> => {
      headers = new Headers(init.headers);
      return Response.json({ candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] });
    };
    await gemini({ model: "gemini-3.8-flash", token: () => "token of google", fetch }).invoke("Hi");
    expect(headers.get("authorization")).toBe("Bearer token of google");
    expect(headers.has("x-goog-api-key")).toBe(false);
  });
});
