import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import type { JsonPatch } from "millrace";
import { fromNodeRequest, nodeHandler, RequestError, toEventStream, toNodeResponse } from "millrace/serve";
import { spySource } from "millrace/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../behaviour/browser/support/listen.js";
import { rawClient, statusesIn } from "./raw-client.js";

type Handle = (request: Request) => Response | Promise<Response>;
type OnRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Serves until the test ends. */
async function serve(onRequest: OnRequest): Promise<string> {
  const { url, close } = await listen(onRequest);
  onTestFinished(close);
  return url;
}

/** Both ways to serve a handler. A rejection of the second one would end the process. */
const ways: readonly [name: string, serving: (handle: Handle) => OnRequest][] = [
  ["nodeHandler()", (handle) => nodeHandler(handle)],
  [
    "fromNodeRequest() and toNodeResponse()",
    (handle) => async (incoming, outgoing) => {
      await toNodeResponse(await handle(fromNodeRequest(incoming, outgoing)), outgoing);
    },
  ],
];

const show: Handle = ({ method, url }) => new Response(`${method} ${url}`);
const close = "Connection: close\r\n\r\n";

describe.each(ways)("%s", (_name, serving) => {
  const local = "Host: localhost\r\n";
  const invalid: readonly (readonly [line: string, headers: string])[] = [
    ["GET / HTTP/1.1", "Host: a@b\r\n"],
    ["GET // HTTP/1.1", "Host:\r\n"],
    ["GET //evil.example/ HTTP/1.1", "Host: \r\n"],
    ...[
      "a b",
      "a/b",
      "a/",
      "a?",
      "a#b",
      "a\\b",
      "a\tb",
      "a:b",
      "a:99999",
      "[::1",
      "[x]",
      "a%zz",
      "\xe9",
      ":80",
    ].map((host) => ["GET /x HTTP/1.1", `Host: ${host}\r\n`] as const),
    ["GET / HTTP/1.1", "Host: a\r\nHost: b\r\n"],
    ["GET http://evil.example/ HTTP/1.1", local],
    ["GET http://x@localhost/ HTTP/1.1", local],
    ["GET ftp://localhost/ HTTP/1.1", local],
    ["GET * HTTP/1.1", local],
    ["TRACE / HTTP/1.1", local],
    ["POST / HTTP/1.1", "Host: a@b\r\nContent-Length: 1000\r\n"], // whose body never comes
  ];
  // G-wire-14
  test.each(invalid)("answers %j %j with 400, and the next request as usual", async (line, headers) => {
    const url = await serve(serving(show));
    const client = await rawClient(url, `${line}\r\n${headers}\r\n`);
    const text = await client.closed;
    expect(statusesIn(text)).toEqual([400]);
    expect(text.slice(text.indexOf("\r\n\r\n"))).not.toMatch(/localhost|Error|node:/);
    expect(await (await fetch(url)).text()).toBe(`GET ${url}/`);
  });

  const valid: readonly (readonly [line: string, headers: string, shown: string])[] = [
    ["GET /a?b#c HTTP/1.1", local, "GET http://localhost/a?b#c"],
    ["GET / HTTP/1.0", "", "GET http://localhost/"],
    ["GET http://LOCALHOST/a?b HTTP/1.1", local, "GET http://localhost/a?b"],
    ["GET https://localhost?b HTTP/1.1", local, "GET http://localhost/?b"],
    ["OPTIONS * HTTP/1.1", local, "OPTIONS http://localhost/"],
    ["GET //evil.example/ HTTP/1.1", local, "GET http://localhost//evil.example/"],
    ["GET /%zz\\..\\x HTTP/1.1", local, "GET http://localhost/x"],
    ["M-SEARCH / HTTP/1.1", "Host: [::1]:80\r\n", "M-SEARCH http://[::1]/"],
    ["GET / HTTP/1.1", "Host: a_b.c~d:\r\n", "GET http://a_b.c~d/"],
  ];
  test.each(valid)("hands on %j %j", async (line, headers, shown) => {
    const url = await serve(serving(show));
    const client = await rawClient(url, `${line}\r\n${headers}${close}`);
    const text = await client.closed;
    expect([statusesIn(text), text.split("\r\n\r\n")[1]?.match(/[A-Z-]+ http.*/)?.[0]]).toEqual([
      [200],
      shown,
    ]);
  });

  test("sends no body for HEAD, and closes the source at once", async () => {
    const source = spySource<JsonPatch>([[]], { then: "hang" });
    const url = await serve(serving(() => toEventStream(source)));
    const response = await fetch(url, { method: "HEAD" });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(source.pulls).toBe(0);
  });

  test("answers with 500 what cannot be sent", async () => {
    const used = new Response("x");
    await used.text();
    for (const answer of [Response.error(), used, undefined as never]) {
      const response = await fetch(await serve(serving(() => answer)));
      expect([response.status, await response.json()]).toMatchObject([500, { code: "failed" }]);
    }
  });
});

describe("nodeHandler()", () => {
  // G-wire-14
  test("asks the handler nothing about an invalid request", async () => {
    const handle = vi.fn(show);
    const client = await rawClient(
      await serve(nodeHandler(handle)),
      `GET / HTTP/1.1\r\nHost: a@b\r\n${close}`,
    );
    await client.closed;
    expect(handle).not.toHaveBeenCalled();
  });

  // G-wire-8
  test("answers for a handler that fails, and shows nothing of the error", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    for (const thrown of [new Error("password=secret"), null, "text"]) {
      const fail = (): never => {
        throw thrown as Error;
      };
      for (const handle of [fail, async () => fail()]) {
        const response = await fetch(await serve(nodeHandler(handle, { onError })));
        expect([response.status, await response.json()]).toEqual([
          500,
          { code: "failed", message: "The request failed." },
        ]);
        expect(errors.pop()).toBe(thrown);
      }
    }
    const refuse = (): never => {
      throw new RequestError("forbidden_origin", "Not you.");
    };
    const refused = await fetch(await serve(nodeHandler(refuse, { onError })));
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { code: "forbidden_origin", message: "Not you." },
    ]);
    expect(errors).toEqual([]);
  });

  test("answers if onError fails too, and closes a connection on which headers were sent before", async () => {
    const fail = (): never => {
      throw new Error("x");
    };
    expect((await fetch(await serve(nodeHandler(fail, { onError: fail })))).status).toBe(500);
    const answer = nodeHandler(show);
    const late = await serve((incoming, outgoing) => {
      outgoing.flushHeaders();
      answer(incoming, outgoing);
    });
    await expect(fetch(late).then((response) => response.text())).rejects.toThrow(TypeError);
    const invalid = await rawClient(late, `GET / HTTP/1.1\r\nHost: a@b\r\n${close}`);
    expect(statusesIn(await invalid.closed)).toEqual([200]);
  });

  test("gives the handler the original request", async () => {
    const url = await serve(
      nodeHandler((_request, incoming: IncomingMessage) => new Response(incoming.socket.remoteAddress)),
    );
    expect(await (await fetch(url)).text()).toBe("127.0.0.1");
  });

  test("answers the requests of one connection in order", async () => {
    const url = await serve(nodeHandler(show));
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const client = await rawClient(
      url,
      `${get("/1")}${get("/2")}GET /3 HTTP/1.1\r\nHost: a@b\r\n\r\n${get("/4")}`,
    );
    const text = await client.closed;
    expect(statusesIn(text)).toEqual([200, 200, 400]);
    expect(text.indexOf("/1")).toBeLessThan(text.indexOf("/2"));
  });

  test("disconnects a client that takes nothing, also at the end of the response", async () => {
    const big = new Uint8Array(20_000_000);
    for (const body of [
      () => big,
      () => new ReadableStream({ pull: (it) => it.enqueue(big.slice(0, 65_536)) }),
    ]) {
      const closing: Promise<unknown>[] = [];
      const answer = nodeHandler(() => new Response(body()), { timeouts: { write: 200 } });
      const url = await serve((incoming, outgoing) => {
        closing.push(once(outgoing, "close"));
        answer(incoming, outgoing);
      });
      const { socket } = await rawClient(url, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      socket.pause();
      await expect.poll(() => closing.length).toBe(1);
      await closing[0];
      socket.destroy();
    }
  });

  test("keeps the connection of a client that completes its request after the response", async () => {
    const url = await serve(nodeHandler(show));
    const body = "x".repeat(1_000_000);
    const length = body.length + 1;
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
    const client = await rawClient(url, head);
    await client.until("POST http://localhost/");
    client.socket.write(`${body}x`);
    client.socket.write(`GET /next HTTP/1.1\r\nHost: localhost\r\n${close}`);
    expect(statusesIn(await client.closed)).toEqual([200, 200]);
  });

  test("answers over HTTP/2", async () => {
    const server = createHttp2Server(nodeHandler(show));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    const ask = async (headers: Record<string, string>): Promise<unknown> => {
      const stream = client.request(headers).setEncoding("utf8");
      const [{ ":status": status }] = (await once(stream, "response")) as [Record<string, unknown>];
      let text = "";
      for await (const chunk of stream) text += String(chunk);
      return [status, text];
    };
    const invalid = expect.stringContaining("invalid_request") as string;
    expect(await ask({ ":path": "/a", ":authority": "localhost" })).toEqual([200, "GET http://localhost/a"]);
    expect(await ask({ ":path": "/a", ":authority": "a@b" })).toMatchObject([400, invalid]);
    expect(await ask({ ":path": "/a", ":authority": "localhost", ":method": "TRACE" })).toMatchObject([
      400,
      invalid,
    ]);
  });

  test("refuses limits that are none", () => {
    expect(() => nodeHandler(show, { timeouts: { write: -1 } })).toThrow(RangeError);
  });
});
