import { connect } from "node:net";
import { createAgent } from "millrace";
import { agUiHandler, boundedHandler, fromNodeRequest, fromUiMessages, RequestError } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { post, serving } from "./request-server.js";

const echo = boundedHandler((body) => Response.json(body), {
  maxBody: 100,
  origins: ["https://app.example"],
});

/** The status and the code; and the answer says nothing but a code and a message. */
async function refused(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const body = (await response.json()) as Record<string, string>;
  expect(Object.keys(body)).toEqual(["code", "message"]);
  expect(body["message"]).not.toMatch(/Error|secret|srv|node:/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return `${response.status} ${body["code"]}`;
}

describe("boundedHandler()", () => {
  test("hands on JSON, `__proto__` as a member like any other", async () => {
    const response = await echo(post('{"__proto__": {"a": 1}, "ä": [null]}'));
    expect([response.status, await response.text()]).toEqual([200, '{"__proto__":{"a":1},"ä":[null]}']);
  });

  test("refuses another method, and names the one that it has", async () => {
    const get = new Request("http://localhost/");
    expect((await echo(get)).headers.get("allow")).toBe("POST");
    expect(await refused(echo(get))).toBe("405 method_not_allowed");
    expect(await refused(echo(new Request(get, { method: "OPTIONS" })))).toBe("405 method_not_allowed");
  });

  test("refuses what is not said to be JSON, as a form of a foreign page would be", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
      expect(await refused(echo(post("{}", { headers: { "content-type": type } })))).toBe(
        "415 unsupported_media_type",
      );
    }
    for (const type of ["application/json;charset=utf-8", "Application/JSON", "application/ld+json"]) {
      expect((await echo(post("{}", { headers: { "content-type": type } }))).status).toBe(200);
    }
  });

  // G-wire-13
  test("measures the body while it is read, whatever a header says, and stops reading there", async () => {
    const json = (length: number): string => `"${"x".repeat(length - 2)}"`;
    expect((await echo(post(json(100)))).status).toBe(200);
    expect(await refused(echo(post(json(101))))).toBe("413 too_large");
    expect(await refused(echo(post("{}", { headers: { "content-length": "101" } })))).toBe("413 too_large");
    let pulls = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulls++;
          controller.enqueue(new Uint8Array(30).fill(0x20));
        },
        cancel: () => {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const init = {
      method: "POST",
      body: endless,
      duplex: "half",
      headers: { "content-type": "application/json", "content-length": "1" },
    };
    expect(await refused(echo(new Request("http://localhost/", init)))).toBe("413 too_large");
    expect([pulls, cancelled]).toEqual([4, true]);
  });

  test("refuses what is no JSON, no UTF-8, or cannot be read", async () => {
    expect(await refused(echo(post('{"a": ')))).toBe("400 invalid_body");
    expect(await refused(echo(post("")))).toBe("400 invalid_body");
    const headers = { "content-type": "application/json" };
    const of = (body: Uint8Array<ArrayBuffer> | ReadableStream | null): Request =>
      new Request("http://localhost/", { method: "POST", headers, body, ...{ duplex: "half" } });
    expect(await refused(echo(of(Uint8Array.of(0x22, 0xff, 0x22))))).toBe("400 invalid_body");
    expect(await refused(echo(of(null)))).toBe("400 invalid_body");
    const lost = new ReadableStream({ pull: (controller) => controller.error(new Error("lost /srv")) });
    expect(await refused(echo(of(lost)))).toBe("400 invalid_body");
  });

  // G-wire-13
  test("lets pages of its own host ask, and of origins that may, which get to read the answer", async () => {
    const from = (origin: string): Promise<Response> => echo(post("{}", { headers: { origin } }));
    for (const origin of ["http://localhost", "https://localhost"]) {
      const own = await from(origin);
      expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    }
    const foreign = await from("https://app.example");
    expect(foreign.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(foreign.headers.get("vary")).toBe("origin");
    for (const origin of ["https://evil.example", "http://localhost:1", "null", "http://app.example", "x"]) {
      const answer = await from(origin);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(await refused(answer)).toBe("403 forbidden_origin");
    }
    const open = boundedHandler(() => new Response(), { origins: ["*"] });
    expect((await open(post("{}", { headers: { origin: "https://any.example" } }))).status).toBe(200);
  });

  test("lets such a page read why it was refused, and tells its browser beforehand what it may send", async () => {
    const headers = {
      origin: "https://app.example",
      "access-control-request-headers": "content-type, x-own",
    };
    const wrong = await echo(post("no", { headers }));
    expect(wrong.headers.get("access-control-allow-origin")).toBe("https://app.example");
    const preflight = await echo(new Request("http://localhost/", { method: "OPTIONS", headers }));
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, x-own",
    });
    const evil = new Request("http://localhost/", {
      method: "OPTIONS",
      headers: { origin: "https://evil.example" },
    });
    expect(await refused(echo(evil))).toBe("403 forbidden_origin");
  });

  test("lets so many runs go on at once, each until its body has ended, failed, was left, or its client is gone", async () => {
    const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
    const cancelled: unknown[] = [];
    const handle = boundedHandler(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start: (controller) => void bodies.push(controller),
            cancel: (reason) => void cancelled.push(reason),
          }),
        ),
      { maxRuns: 1 },
    );
    const full = async (): Promise<boolean> => {
      const answer = await handle(post("{}"));
      if (answer.status === 429) {
        expect(answer.headers.get("retry-after")).toBe("1");
        expect(await refused(answer)).toBe("429 too_many_runs");
        return true;
      }
      await answer.body?.cancel("free");
      return false;
    };
    const first = await handle(post("{}"));
    expect(await full()).toBe(true);
    bodies.at(-1)?.close();
    await first.text();
    expect(await full()).toBe(false);

    const second = await handle(post("{}"));
    bodies.at(-1)?.error(new Error("lost"));
    await expect(second.text()).rejects.toThrow("lost");
    expect(await full()).toBe(false);

    const gone = new AbortController();
    await handle(post("{}", { signal: gone.signal }));
    expect(await full()).toBe(true);
    gone.abort("gone");
    expect(await full()).toBe(false);
    expect(cancelled).toEqual(["free", "free", "gone", "free"]);
  });

  // G-wire-8
  test("frees a run without a body, and one that fails, of which the client hears nothing", async () => {
    const errors: unknown[] = [];
    let answer = (): Response => new Response(null, { status: 204 });
    const handle = boundedHandler(() => answer(), {
      maxRuns: 1,
      onError: (error) => void errors.push(error),
    });
    for (let i = 0; i < 2; i++) expect((await handle(post("{}"))).status).toBe(204);
    answer = () => {
      throw new Error("password=secret");
    };
    for (let i = 0; i < 2; i++) expect(await refused(handle(post("{}")))).toBe("500 failed");
    expect(errors).toHaveLength(2);
    answer = () => {
      throw new RequestError("invalid_input", "No such thing.");
    };
    expect(await refused(handle(post("{}")))).toBe("400 invalid_input");
    expect(errors).toHaveLength(2);
  });

  test("refuses bounds that are none", () => {
    expect(() => boundedHandler(() => new Response(), { maxBody: -1 })).toThrow(RangeError);
    expect(() => boundedHandler(() => new Response(), { maxRuns: 0 })).toThrow(RangeError);
  });
});

describe("what agUiHandler() refuses", () => {
  const handle = agUiHandler(createAgent({ model: scriptedModel(["Hello."]) }));
  const run = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hi" }] };
  const message = (fields: object): object => ({ ...run, messages: [{ id: "1", ...fields }] });

  const wrong: readonly [what: unknown, says: string][] = [
    [[], "The body must be an object, but is an array."],
    ["null", "The body must be an object, but is null."],
    [{ ...run, threadId: 1 }, "threadId must be a string, but is a number."],
    [{ ...run, runId: undefined }, "runId must be a string, but is undefined."],
    [{ ...run, messages: "Hi" }, "messages must be an array, but is a string."],
    [{ ...run, messages: ["Hi"] }, "messages[0] must be an object, but is a string."],
    [message({ id: 1, role: "user", content: "" }), "messages[0].id must be a string, but is a number."],
    [message({ role: "root", content: "" }), "messages[0].role must be a role of AG-UI, but is a string."],
    [
      message({ role: "__proto__", content: "" }),
      "messages[0].role must be a role of AG-UI, but is a string.",
    ],
    [message({ content: "" }), "messages[0].role must be a role of AG-UI, but is undefined."],
    [message({ role: "user" }), "messages[0].content must be an array, but is undefined."],
    [message({ role: "system", content: [] }), "messages[0].content must be a string, but is an array."],
    [message({ role: "tool", content: "" }), "messages[0].toolCallId must be a string, but is undefined."],
    [message({ role: "user", content: [1] }), "messages[0].content[0] must be an object, but is a number."],
    [
      message({ role: "user", content: [{ type: "binary" }] }),
      "messages[0].content[0].type must be text, image, audio, video or document, but is a string.",
    ],
    [
      message({ role: "user", content: [{ type: "image", source: { type: "path", value: "x" } }] }),
      "messages[0].content[0].source.type must be data, url or file, but is a string.",
    ],
    [
      message({ role: "user", content: [{ type: "image", source: { type: "data", value: "x" } }] }),
      "messages[0].content[0].source.mimeType must be a string, but is undefined.",
    ],
    [
      message({ role: "assistant", toolCalls: {} }),
      "messages[0].toolCalls must be an array, but is an object (Object).",
    ],
    [
      message({ role: "assistant", toolCalls: [{ id: "1", function: { name: "x" } }] }),
      "messages[0].toolCalls[0].function.arguments must be a string, but is undefined.",
    ],
    [
      message({ role: "assistant", toolCalls: [{ id: "1", function: { name: "pay", arguments: "{}" } }] }),
      "The messages end with an unanswered tool call.",
    ],
    [
      { ...run, tools: [{ name: "no spaces", description: "" }] },
      "tools[0].name must be 1 to 64 letters, digits, _ and -, but is a string.",
    ],
    [
      { ...run, tools: [{ name: "x", parameters: [] }] },
      "tools[0].parameters must be an object, but is an array.",
    ],
    [{ ...run, tools: [{ name: "x" }, { name: "x" }] }, "Two of the tools have the same name."],
    [{ ...run, context: [{ value: "x" }] }, "context[0].description must be a string, but is undefined."],
    [
      { ...run, resume: [{ interruptId: "1" }] },
      "resume[0].status must be resolved or cancelled, but is undefined.",
    ],
  ];
  test.each(wrong)("%j", async (body, says) => {
    const response = await handle(post(body));
    expect([response.status, await response.json()]).toEqual([400, { code: "invalid_input", message: says }]);
  });

  test("but not keys that are prototypes, deep values, nor roles that are for the page", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const body = `{"threadId": "t", "runId": "r", "__proto__": {"messages": 1}, "state": {"__proto__": {"x": ${deep}}},
      "messages": [
        {"id": "1", "role": "user", "content": "Hi", "__proto__": {"role": "system"}, "constructor": 1},
        {"id": "2", "role": "reasoning", "content": "Hm."},
        {"id": "3", "role": "activity", "activityType": "x", "content": {}},
        {"id": "4", "role": "assistant", "content": null, "name": "toString"}
      ], "tools": null, "context": null}`;
    const text = await (await handle(post(body))).text();
    expect(text).toContain("TEXT_MESSAGE_CONTENT");
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("nor calls that were left behind unanswered: no model is shown those", async () => {
    const model = scriptedModel(["Hello."]);
    const paint = (id: string): object => ({ id, function: { name: "paint", arguments: '{"co' } });
    const messages = [
      { id: "1", role: "assistant", toolCalls: [paint("a")] },
      { id: "2", role: "assistant", content: "So,", toolCalls: [paint("b"), paint("c")] },
      { id: "3", role: "tool", toolCallId: "c", content: "done" },
      { id: "4", role: "user", content: "Hi" },
    ];
    await (await agUiHandler(createAgent({ model }))(post({ ...run, messages }))).text();
    expect(model.calls[0]?.messages).toMatchObject([
      { id: "2", content: [{ type: "text", text: "So," }, { id: "c" }] },
      { id: "3" },
      { id: "4" },
    ]);
  });

  test("shows nothing of an agent that cannot be made, or fails at once", async () => {
    const errors: unknown[] = [];
    const failing = agUiHandler(() => Promise.reject(new Error("password=secret")), {
      onError: (error) => void errors.push(error),
    });
    expect(await refused(failing(post(run)))).toBe("500 failed");
    expect(errors).toHaveLength(1);
  });
});

test("fromUiMessages() refuses what is no message, and calls that nobody has answered", () => {
  const user = { id: "1", role: "user" };
  const call = { type: "tool-pay", toolCallId: "1", state: "input-available", input: {} };
  const assistant = { id: "1", role: "assistant", parts: [call] };
  expect(() => fromUiMessages({})).toThrow("messages must be an array, but is undefined.");
  expect(() => fromUiMessages({ messages: [user] })).toThrow(
    "messages[0].parts must be an array, but is undefined.",
  );
  expect(() => fromUiMessages({ messages: [{ ...user, role: "tool", parts: [] }] })).toThrow(
    "messages[0].role must be system",
  );
  expect(() => fromUiMessages({ messages: [{ ...user, parts: [{ type: "text" }] }] })).toThrow(
    "messages[0].parts[0].text must be",
  );
  expect(() => fromUiMessages({ messages: [assistant] })).toThrow(RequestError);
  expect(fromUiMessages({ messages: [assistant] }, { openCalls: true })).toHaveLength(1);
  expect(fromUiMessages({ messages: [assistant, { ...user, parts: [] }] })).toEqual([
    { role: "user", content: [] },
  ]);
});

test("fromUiMessages() takes files by what they are, and leaves out what is for the page", () => {
  const url = "https://x.example/a";
  const parts = [
    { type: "file", mediaType: "image/png", url },
    { type: "file", mediaType: "application/pdf", url, filename: "a.pdf" },
    { type: "reasoning", text: "Hm." },
    { type: "source-url", sourceId: "1", url },
    { type: "data-other", data: 1 },
    { type: "text", text: "" },
  ];
  expect(fromUiMessages({ messages: [{ id: "1", role: "user", parts }] })).toEqual([
    {
      role: "user",
      content: [
        { type: "image", url, mimeType: "image/png" },
        { type: "file", url, mimeType: "application/pdf", filename: "a.pdf" },
      ],
    },
  ]);
});

describe("fromNodeRequest()", () => {
  test("gives the method, the headers and the body, and the answer reaches a client whose body is refused", async () => {
    await serving(echo, async (url) => {
      const send = (body: string): Promise<Response> =>
        fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      expect(await (await send('{"a": "ä"}')).json()).toEqual({ a: "ä" });
      expect(await refused(send(JSON.stringify("x".repeat(1_000_000))))).toBe("413 too_large");
      expect((await fetch(url)).status).toBe(405);
    });
  });

  test("takes the host from where HTTP/2 has it", async () => {
    const request = Object.assign(
      (async function* (): AsyncGenerator<Uint8Array, undefined, undefined> {
        yield new TextEncoder().encode("1");
      })(),
      { method: "POST", url: "/a?b", headers: { ":authority": "app.example", "x-own": ["1", "2"] } },
    );
    const made = fromNodeRequest(request, { on: () => {} });
    expect([made.url, made.headers.get("x-own"), await made.text()]).toEqual([
      "http://app.example/a?b",
      "1, 2",
      "1",
    ]);
  });

  test("cannot be told by the path that the host is another one, nor be broken by what is sent", async () => {
    const hosts: string[] = [];
    const handle = async (request: Request): Promise<Response> => {
      hosts.push(`${request.method} ${request.url}`);
      return echo(request);
    };
    await serving(handle, async (url) => {
      const { port } = new URL(url);
      const raw = (head: string): Promise<string> =>
        new Promise((resolve, reject) => {
          const socket = connect(Number(port), "127.0.0.1", () => socket.end(head));
          let text = "";
          socket.on("data", (data) => (text += String(data)));
          socket.on("close", () => resolve(text.split(" ")[1] ?? ""));
          socket.on("error", reject);
        });
      const rest = "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
      const evil = "Host: localhost\r\nOrigin: http://evil.example\r\n";
      expect(await raw(`POST //evil.example/ HTTP/1.1\r\n${evil}${rest}`)).toBe("403");
      expect(await raw(`POST http://evil.example/ HTTP/1.1\r\n${evil}${rest}`)).toBe("403");
      expect(await raw(`POST / HTTP/1.1\r\nHost: a b\r\n${rest}`)).toBe("200");
      expect(await raw(`TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).toBe("405");
      expect(hosts).toEqual([
        "POST http://localhost//evil.example/",
        "POST http://localhost/",
        "POST http://localhost/",
        "GET http://localhost/",
      ]);
    });
  });
});
