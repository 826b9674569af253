import { inspect } from "node:util";
import { collect, ModelError } from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { describe, expect, test, vi } from "vitest";
import { serving } from "../../models/support/models.js";

const providers = { openai, anthropic, gemini, ollama };
const options = { model: "m-1", apiKey: "", maxRetries: 0 };

/** The address of a server with a user and a password. */
function withUser(url: string, user: string, password = ""): string {
  const address = new URL(url);
  address.username = user;
  address.password = password;
  return address.href;
}

describe.each(Object.entries(providers))("%s", (name, create) => {
  test.each([
    ["a user and a password", "me", "pass:word/1"],
    ["other letters", "jürgen", "größe €"],
    ["a user alone", "token-0123456789", ""],
    ["a malformed escape", "me", "100%zz"],
  ])("sends %s of a baseURL as Basic authentication", async (_name, user, password) => {
    const server = await serving((response) => response.writeHead(401).end("no"));
    const model = create({ ...options, baseURL: withUser(server.url, user, password) });
    const error: unknown = await collect(model.stream("Hi")).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "http", status: 401 });
    const [scheme, credentials = ""] = server.requests[0]?.headers.authorization?.split(" ") ?? [];
    expect(scheme).toBe("Basic");
    expect(Buffer.from(credentials, "base64").toString()).toBe(`${user}:${password}`);
    expect(inspect(error)).not.toContain(credentials);
  });

  test("an Authorization header of yours takes precedence", async () => {
    const server = await serving((response) => response.writeHead(401).end());
    const headers = { Authorization: "Bearer mine" };
    const model = create({ ...options, headers, baseURL: withUser(server.url, "me", "secret") });
    await collect(model.stream("Hi")).catch(() => {});
    expect(server.requests[0]?.headers.authorization).toBe("Bearer mine");
  });

  test("an address that is not a URL is named by the option or the variable that has it", () => {
    const variable = `${name.toUpperCase()}_${name === "ollama" ? "HOST" : "BASE_URL"}`;
    vi.stubEnv(variable, "http://host:99999");
    expect(() => create({ ...options, baseURL: "nonsense" })).toThrow(/^The baseURL "nonsense" is not/);
    if (name === "gemini") return; // has no variable for its address
    expect(() => create(options)).toThrow(new RegExp(`^${variable} "http://host:99999" is not`));
  });

  test("an address that is not a URL is not shown if it may contain a password", () => {
    for (const baseURL of [
      "https//me:p4ssw0rd@host/v1",
      "ftp://me:p4ssw0rd@host",
      "host?key=p4ssw0rd",
      "://p4ssw0rd@",
    ]) {
      const thrown = thrownBy(() => create({ ...options, baseURL }));
      expect(thrown).toMatchObject({ code: "invalid_request" });
      expect(inspect(thrown)).not.toContain("p4ssw0rd");
    }
  });

  const sendsKeyAsBearer = name === "openai" || name === "ollama";
  test(`a key and a user at once are ${sendsKeyAsBearer ? "refused" : "both sent"}`, async () => {
    const server = await serving((response) => response.writeHead(401).end());
    const both = { ...options, apiKey: "a-key-of-mine", baseURL: withUser(server.url, "me", "p4ssw0rd") };
    if (sendsKeyAsBearer) {
      const thrown = thrownBy(() => create(both));
      expect(thrown).toMatchObject({ code: "invalid_request" });
      expect(inspect(thrown)).not.toMatch(/p4ssw0rd|a-key-of-mine/);
      return;
    }
    await collect(create(both).stream("Hi")).catch(() => {});
    const { authorization, ...others } = server.requests[0]?.headers ?? {};
    expect(authorization).toBe(`Basic ${btoa("me:p4ssw0rd")}`);
    expect(Object.values(others)).toContain("a-key-of-mine");
  });
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("an error names no key of a parameter", async () => {
  const key = "AIza0123456789abcdef";
  const model = gemini({
    ...options,
    baseURL: `http://localhost:1/v1?key=${key}`,
    fetch: (url) => Promise.reject(new TypeError(`cannot fetch ${url}`)),
  });
  const error: unknown = await collect(model.stream("Hi")).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  expect(inspect(error, { depth: Infinity })).not.toContain(key);
});

test("a missing key names its environment variable", async () => {
  for (const [create, environmentVariable] of [
    [openai, "OPENAI_API_KEY"],
    [anthropic, "ANTHROPIC_API_KEY"],
    [gemini, "GEMINI_API_KEY"],
  ] as const) {
    for (const name of [environmentVariable, "GOOGLE_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"]) {
      vi.stubEnv(name, undefined);
    }
    const missing = { code: "no_key", environmentVariable };
    await expect(create({ model: "m-1" }).invoke("Hi")).rejects.toMatchObject(missing);
  }
});
