import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** An HTTP server on a loopback port that simulates a provider. */
export interface TestServer {
  /** Ends in `/v1`, as a baseURL does. */
  readonly url: string;
  readonly requests: readonly Received[];
  /** Number of connections opened so far. */
  readonly connections: number;
  close(): Promise<void>;
}

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Whether the client closed the connection before the response was complete. */
  readonly left: Promise<void>;
}

export type Answer = (response: ServerResponse, request: Received, index: number) => unknown;

/** @param answers one for each request, in order; the last one also answers all later requests */
export async function serve(...answers: readonly Answer[]): Promise<TestServer> {
  const requests: Received[] = [];
  let connections = 0;
  const server = createServer((incoming, response) => {
    void (async () => {
      const received: Received = {
        path: incoming.url ?? "",
        headers: incoming.headers,
        body: JSON.parse(await read(incoming)) as unknown,
        left: new Promise((resolve) => {
          response.once("close", () => {
            if (!response.writableFinished) resolve();
          });
        }),
      };
      const index = requests.push(received) - 1;
      await answers[Math.min(index, answers.length - 1)]?.(response, received, index);
    })();
  });
  server.on("connection", (socket: Socket) => {
    connections++;
    socket.on("error", () => {}); // a client may be gone while it is written to
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get connections() {
      return connections;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function read(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += String(chunk);
  return text;
}

/** A response with that status. */
export function status(code: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Starts an event stream and sends these payloads. The response stays open. */
export function begin(response: ServerResponse, ...payloads: readonly unknown[]): void {
  if (!response.headersSent) {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "req_1" });
    response.flushHeaders();
  }
  for (const payload of payloads) response.write(`data: ${JSON.stringify(payload)}\n\n`);
}

/** An event stream of these payloads, ended by `[DONE]`. */
export function stream(...payloads: readonly unknown[]): Answer {
  return (response) => {
    begin(response, ...payloads);
    response.end("data: [DONE]\n\n");
  };
}

/** Payloads of Chat Completions. */
export function delta(fields: object, more: object = {}): object {
  return {
    id: "chatcmpl-1",
    model: "test-1",
    choices: [{ index: 0, delta: fields, finish_reason: null }],
    ...more,
  };
}

export function content(text: string): object {
  return delta({ content: text });
}

export function finish(reason = "stop"): object {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}

/** A complete answer. */
export const hello: Answer = stream(
  delta({ role: "assistant", content: "" }),
  content("Hel"),
  content("lo"),
  finish(),
);
