import { gzipSync } from "node:zlib";
import { createAgent } from "millrace";
import {
  agUiHandler,
  boundedHandler,
  fromNodeRequest,
  fromUiMessages,
  keepResponse,
  memoryLog,
  nodeHandler,
  type NodeResponse,
  readHandler,
  RequestError,
  runHandler,
  uiMessageHandler,
} from "millrace/serve";
import { memoryThreads, threadHandler } from "millrace/thread";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { listen } from "../../behaviour/browser/support/listen.js";
import { rawClient, rawPost, statusesIn } from "./raw-client.js";
import { post, serving } from "./request-server.js";

const echo = boundedHandler((body) => Response.json(body), {
  maxBody: 100,
  origins: ["https://app.example"],
});

/** Returns status and code. Checks that the answer contains only a code and a message. */
async function refused(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const body = (await response.json()) as Record<string, string>;
  expect(Object.keys(body)).toEqual(["code", "message"]);
  expect(body["message"]).not.toMatch(/Error|secret|srv|node:/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return `${response.status} ${body["code"]}`;
}

describe("boundedHandler()", () => {
  test.each([undefined, "text", { body: null }])(
    "names a handler that returns no Response: %s",
    async (answer) => {
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      const handle = boundedHandler(() => answer as never, { onError });
      expect(await refused(handle(post("{}")))).toBe("500 failed");
      const sent = nodeHandler(() => answer as never, { onError });
      const { url, close } = await listen(sent);
      expect(await refused(fetch(url))).toBe("500 failed");
      await close();
      const error = expect.objectContaining({
        name: "TypeError",
        message: expect.stringMatching(/handler must return a Response, but returned/) as string,
      }) as unknown;
      expect(errors).toEqual([error, error]);
    },
  );

  test("parses JSON, and keeps a member named `__proto__`", async () => {
    const response = await echo(post('{"__proto__": {"a": 1}, "ä": [null]}'));
    expect([response.status, await response.text()]).toEqual([200, '{"__proto__":{"a":1},"ä":[null]}']);
  });

  test("rejects other methods, with the allowed one in the header", async () => {
    const get = new Request("http://localhost/");
    expect((await echo(get)).headers.get("allow")).toBe("POST");
    expect(await refused(echo(get))).toBe("405 method_not_allowed");
    expect(await refused(echo(new Request(get, { method: "OPTIONS" })))).toBe("405 method_not_allowed");
  });

  test("rejects other content types than JSON, such as those of HTML forms", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
      expect(await refused(echo(post("{}", { headers: { "content-type": type } })))).toBe(
        "415 unsupported_media_type",
      );
    }
    for (const type of ["application/json;charset=utf-8", "Application/JSON", "application/ld+json"]) {
      expect((await echo(post("{}", { headers: { "content-type": type } }))).status).toBe(200);
    }
  });

  test("passes a fetched response on without the encoding that fetch() has removed", async () => {
    const encoded = gzipSync("Tea");
    const origin = await listen((request, response) => {
      const encoding = new URL(request.url ?? "", "http://localhost").pathname.slice(1);
      response.setHeader("content-encoding", encoding);
      response.setHeader("content-length", encoded.length);
      response.setHeader("x-own", "1");
      response.end(encoded);
    });
    const bounded = boundedHandler((body) => fetch(`${origin.url}/${body as string}`));
    const log = memoryLog();
    const kept = async (body: string): Promise<Response> =>
      keepResponse(await fetch(`${origin.url}/${body}`), { log, id: body });
    const proxy = await listen(nodeHandler(() => fetch(`${origin.url}/gzip`)));
    for (const response of [await bounded(post('"gzip"')), await kept("gzip"), await fetch(proxy.url)]) {
      const { headers } = response;
      expect([headers.get("content-encoding"), headers.get("content-length"), headers.get("x-own")]).toEqual([
        null,
        null,
        "1",
      ]);
      expect(await response.text()).toBe("Tea");
    }
    // fetch() does not know it, and an own response is sent as it is.
    const own = new Response(encoded, { headers: { "content-encoding": "gzip" } });
    for (const response of [await bounded(post('"snappy"')), await boundedHandler(() => own)(post("1"))]) {
      expect(response.headers.get("content-encoding")).toMatch(/snappy|gzip/);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(encoded));
    }
    await Promise.all([origin.close(), proxy.close()]);
  });

  // G-wire-13
  test("limits the body by the bytes that it reads, not by its header, and then stops reading", async () => {
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

  test("rejects invalid JSON, invalid UTF-8 and unreadable bodies", async () => {
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
  test("accepts pages of its own host and of allowed origins, and lets them read the answer", async () => {
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

  test("refuses origins that no browser sends", () => {
    const open = (origin: string) => (): unknown =>
      boundedHandler(() => new Response(), { origins: [origin] });
    for (const origin of ["https://app.example:8443", "http://localhost:1", "app://page", "null", "*"])
      expect(open(origin)).not.toThrow();
    for (const origin of [
      "https://app.example/",
      "https://App.example",
      "http://a:80",
      "app://page/",
      "a.example",
      "",
    ])
      expect(open(origin)).toThrow(/^"[^"]*" in origins of boundedHandler\(\) is not an origin/);
  });

  test("an error with a foreign code is a failed request", async () => {
    const error = Object.assign(new Error("secret"), { name: "ThreadError", code: "constructor" });
    const handle = boundedHandler(() => Promise.reject(error), { onError: () => {} });
    expect(await refused(handle(post({})))).toBe("500 failed");
  });

  test("accepts pages of the host in the header, where the URL has another one as behind next start", async () => {
    const behindNext = (origin: string): Request =>
      post({ a: 1 }, { headers: { host: "site.example", origin: `https://${origin}` } });
    expect((await echo(behindNext("site.example"))).status).toBe(200);
    expect(await refused(echo(behindNext("evil.example")))).toBe("403 forbidden_origin");
  });

  test.each([
    ["https://site.example", "site.example:443", 200],
    ["http://site.example", "Site.Example:80", 200],
    ["https://site.example:8443", "SITE.example:8443", 200],
    ["https://site.example", "site.example:80", 403],
    ["http://site.example", "site.example:443", 403],
    ["https://site.example", "site.example:8443", 403],
    ["https://site.example", "user@site.example", 403],
    ["https://site.example", "site.example/", 403],
    ["https://site.example", "site.example:", 403],
    ["https://site.example", "", 403],
  ])("a page of %s with the header Host: %s gets the status %i", async (origin, host, status) => {
    expect((await echo(post({ a: 1 }, { headers: { host, origin } }))).status).toBe(status);
  });

  test("lets allowed origins read errors, and answers their preflight requests", async () => {
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

  test("limits concurrent runs; a run ends when its body ends, fails or is cancelled, or its client disconnects", async () => {
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
  test("a run without a body and a failed run end at once, and the client gets no details", async () => {
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

  test("rejects invalid bounds", () => {
    expect(() => boundedHandler(() => new Response(), { maxBody: -1 })).toThrow(RangeError);
    expect(() => boundedHandler(() => new Response(), { maxRuns: 0 })).toThrow(RangeError);
  });
});

describe("agUiHandler()", () => {
  const handle = agUiHandler(createAgent({ model: scriptedModel(["Hello."]) }));
  const run = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hi" }] };
  const message = (fields: object): object => ({ ...run, messages: [{ id: "1", ...fields }] });

  const wrong: readonly [body: unknown, message: RegExp][] = [
    [[], /^The body .*object.* array/],
    ["null", /^The body .*object.* null/],
    [{ ...run, threadId: 1 }, /^threadId .*string.* number/],
    [{ ...run, runId: undefined }, /^runId .*string.* undefined/],
    [{ ...run, messages: "Hi" }, /^messages .*array.* string/],
    [{ ...run, messages: ["Hi"] }, /^messages\[0\] .*object.* string/],
    [message({ id: 1, role: "user", content: "" }), /^messages\[0\]\.id .*string.* number/],
    [message({ role: "root", content: "" }), /^messages\[0\]\.role .*role.* string/],
    [message({ role: "__proto__", content: "" }), /^messages\[0\]\.role .*role.* string/],
    [message({ content: "" }), /^messages\[0\]\.role .*role.* undefined/],
    [message({ role: "user" }), /^messages\[0\]\.content .*array.* undefined/],
    [message({ role: "system", content: [] }), /^messages\[0\]\.content .*string.* array/],
    [message({ role: "tool", content: "" }), /^messages\[0\]\.toolCallId .*string.* undefined/],
    [message({ role: "user", content: [1] }), /^messages\[0\]\.content\[0\] .*object.* number/],
    [
      message({ role: "user", content: [{ type: "binary" }] }),
      /^messages\[0\]\.content\[0\]\.type .*document.* string/,
    ],
    [
      message({ role: "user", content: [{ type: "image", source: { type: "path", value: "x" } }] }),
      /^messages\[0\]\.content\[0\]\.source\.type .*url.* string/,
    ],
    [
      message({ role: "user", content: [{ type: "image", source: { type: "data", value: "x" } }] }),
      /^messages\[0\]\.content\[0\]\.source\.mimeType .*string.* undefined/,
    ],
    [message({ role: "assistant", toolCalls: {} }), /^messages\[0\]\.toolCalls .*array.* object/],
    [
      message({ role: "assistant", toolCalls: [{ id: "1", function: { name: "x" } }] }),
      /^messages\[0\]\.toolCalls\[0\]\.function\.arguments .*string.* undefined/,
    ],
    [
      message({ role: "assistant", toolCalls: [{ id: "1", function: { name: "pay", arguments: "{}" } }] }),
      /unanswered/,
    ],
    [{ ...run, tools: [{ name: "no spaces", description: "" }] }, /^tools\[0\]\.name .*64.* string/],
    [{ ...run, tools: [{ name: "x", parameters: [] }] }, /^tools\[0\]\.parameters .*object.* array/],
    [{ ...run, tools: [{ name: "x" }, { name: "x" }] }, /tools .*same name/],
    [{ ...run, context: [{ value: "x" }] }, /^context\[0\]\.description .*string.* undefined/],
    [{ ...run, resume: [{ interruptId: "1" }] }, /^resume\[0\]\.status .*resolved.* undefined/],
  ];
  test.each(wrong)("rejects %j", async (body, message) => {
    const response = await handle(post(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      code: "invalid_input",
      message: expect.stringMatching(message) as string,
    });
  });

  test("__proto__ keys, deep values and messages of roles for the page do not reach the agent's input", async () => {
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

  test("unanswered calls before the last message are not sent to the model", async () => {
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

  test("an agent that cannot be created is an error without details", async () => {
    const errors: unknown[] = [];
    const failing = agUiHandler(() => Promise.reject(new Error("password=secret")), {
      onError: (error) => void errors.push(error),
    });
    expect(await refused(failing(post(run)))).toBe("500 failed");
    expect(errors).toHaveLength(1);
  });
});

test("fromUiMessages() rejects invalid messages and unanswered calls", () => {
  const user = { id: "1", role: "user" };
  const call = { type: "tool-pay", toolCallId: "1", state: "input-available", input: {} };
  const assistant = { id: "1", role: "assistant", parts: [call] };
  expect(() => fromUiMessages({})).toThrow(/^messages .*array/);
  expect(() => fromUiMessages({ messages: [user] })).toThrow(/^messages\[0\]\.parts .*array/);
  expect(() => fromUiMessages({ messages: [{ ...user, role: "tool", parts: [] }] })).toThrow(
    /^messages\[0\]\.role .*system/,
  );
  expect(() => fromUiMessages({ messages: [{ ...user, parts: [{ type: "text" }] }] })).toThrow(
    /^messages\[0\]\.parts\[0\]\.text .*string/,
  );
  // The output of a tool that was stopped is its latest progress.
  const stopped = { ...call, state: "output-available", output: "1 of 900 pages", preliminary: true };
  for (const open of [assistant, { ...assistant, parts: [stopped] }]) {
    expect(() => fromUiMessages({ messages: [open] })).toThrow(RequestError);
    expect(fromUiMessages({ messages: [open] }, { openCalls: true })).toHaveLength(1);
    expect(fromUiMessages({ messages: [open, { ...user, parts: [] }] })).toEqual([
      { role: "user", content: [], id: "1" },
    ]);
  }
});

test("fromUiMessages() reads files by their media type, and omits parts for the page", () => {
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
      id: "1",
      content: [
        { type: "image", url, mimeType: "image/png" },
        { type: "file", url, mimeType: "application/pdf", filename: "a.pdf" },
      ],
    },
  ]);
});

describe("fromNodeRequest()", () => {
  test("converts the method, the headers and the body, and sends an answer while the body is still arriving", async () => {
    await serving(echo, async (url) => {
      const send = (body: string): Promise<Response> =>
        fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      expect(await (await send('{"a": "ä"}')).json()).toEqual({ a: "ä" });
      expect(await refused(send(JSON.stringify("x".repeat(1_000_000))))).toBe("413 too_large");
      expect((await fetch(url)).status).toBe(405);
    });
  });

  test("reads the host of HTTP/2", async () => {
    const request = Object.assign(
      (async function* (): AsyncGenerator<Uint8Array, undefined, undefined> {
        yield new TextEncoder().encode("1");
      })(),
      { method: "POST", url: "/a?b", headers: { ":authority": "app.example", "x-own": ["1", "2"] } },
    );
    const made = fromNodeRequest(request, { on: () => {} } as unknown as NodeResponse);
    expect([made.url, made.headers.get("x-own"), await made.text()]).toEqual([
      "http://app.example/a?b",
      "1, 2",
      "1",
    ]);
  });

  test("a path cannot change the host", async () => {
    await serving(echo, async (url) => {
      const origin = "Origin: http://evil.example\r\nConnection: close\r\n";
      const head = (target: string): string => rawPost("{}", { headers: origin, target });
      for (const [target, status] of [
        ["//evil.example/", 403],
        ["http://localhost/", 403],
        ["http://evil.example/", 400],
      ] as const) {
        const client = await rawClient(url, head(target));
        expect(statusesIn(await client.closed)).toEqual([status]);
      }
    });
  });
});

describe("a request of another framework", () => {
  const incoming = { method: "POST", url: "/", headers: { "content-type": "application/json" } };
  const outgoing = { on: () => undefined, end: () => undefined };
  const agent = createAgent({ model: scriptedModel(["Hi"]) });
  const handlers: Readonly<Record<string, (...given: never[]) => unknown>> = {
    "boundedHandler()": echo,
    "readHandler()": readHandler(() => Response.json({})),
    "runHandler()": runHandler(() => Response.json({}), { log: memoryLog() }),
    "threadHandler()": threadHandler({ agent, store: memoryThreads() }),
    "uiMessageHandler()": uiMessageHandler(agent),
    "agUiHandler()": agUiHandler(agent),
  };

  test.each(Object.entries(handlers))("is refused at once by %s", (_, handle) => {
    for (const given of [[], [undefined], [incoming, outgoing], [{ req: { raw: {} } }]])
      expect(() => handle(...(given as never[]))).toThrow("nodeHandler()");
  });

  test("is refused at once by nodeHandler()", () => {
    const request = new Request("http://localhost/", { method: "POST", body: "1" });
    for (const given of [[], [request], [request, {}], [incoming]]) {
      expect(() => nodeHandler(() => echo(request))(...(given as [never, never]))).toThrow("node:http");
      expect(() => fromNodeRequest(...(given as [never, never]))).toThrow("node:http");
    }
  });

  test("is answered if its body was read before", async () => {
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: "1" };
    const used = new Request("http://localhost/", json);
    await used.text();
    expect(await (await echo(used)).json()).toMatchObject({
      code: "invalid_body",
      message: expect.stringContaining("before") as unknown,
    });
    const { url, close } = await listen((incoming, outgoing) => {
      incoming.resume().on("end", () => {
        nodeHandler(echo)(incoming, outgoing);
      });
    });
    const answer = (await (await fetch(url, json)).json()) as unknown;
    await close();
    expect(answer).toMatchObject({
      code: "invalid_body",
      message: expect.stringContaining("before") as unknown,
    });
  });
});
