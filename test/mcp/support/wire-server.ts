import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpClient } from "millrace/mcp";

/** A message of JSON-RPC. */
interface WireMessage {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A request, with what a server may do before it answers. */
interface WireRequest {
  readonly params: Readonly<Record<string, unknown>>;
  /** Sends a notification of progress, if the client wants it. */
  readonly progress: (fields: object) => void;
  /** Resolves when the client cancels the request. */
  readonly cancelled: Promise<unknown>;
  /** Asks the client, and resolves to its answer. */
  readonly ask: (method: string, params: object) => Promise<unknown>;
}

/** An error that the server answers with. */
export class WireError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What a server answers to each method. */
export type WireAnswers = Readonly<Record<string, (request: WireRequest) => unknown>>;

/**
 * A server in the memory that answers exactly what it is told to, also what a server of the SDK would refuse to send. It is
 * the transport of a client.
 */
export class WireServer {
  onmessage: ((message: never) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly requests: WireMessage[] = [];
  private readonly cancels = new Map<unknown, (reason: unknown) => void>();
  private readonly asked = new Map<unknown, (answer: unknown) => void>();
  private readonly answers: WireAnswers;

  constructor(answers: WireAnswers) {
    this.answers = {
      initialize: ({ params }) => ({
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "wire", version: "1" },
      }),
      ...answers,
    };
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /** The requests of a method. */
  sent(method: string): (WireMessage["params"] | undefined)[] {
    return this.requests.filter((it) => it.method === method).map(({ params }) => params);
  }

  notify(method: string): void {
    this.tell({ jsonrpc: "2.0", method });
  }

  send(message: WireMessage): Promise<void> {
    this.requests.push(message);
    const { id, method = "", params = {} } = message;
    if (method === "") this.asked.get(id)?.(message.result ?? message.error);
    if (method === "notifications/cancelled") this.cancels.get(params["requestId"])?.(params["reason"]);
    if (id !== undefined && method !== "") void this.answer(id, method, params);
    return Promise.resolve();
  }

  private async answer(
    id: number | string,
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const cancelled = new Promise((resolve) => {
      this.cancels.set(id, resolve);
    });
    const progressToken = (params["_meta"] as { readonly progressToken?: unknown } | undefined)
      ?.progressToken;
    const progress = (fields: object): void => {
      if (progressToken === undefined) return;
      this.tell({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, ...fields } });
    };
    try {
      const answer = this.answers[method];
      if (answer === undefined) throw new WireError(-32601, "Method not found");
      this.tell({
        jsonrpc: "2.0",
        id,
        result: await answer({ params, progress, cancelled, ask: (...what) => this.ask(...what) }),
      });
    } catch (error) {
      const { code = -32603, message, data } = error as Partial<WireError>;
      this.tell({ jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } });
    }
  }

  private ask(method: string, params: object): Promise<unknown> {
    const id = `server ${this.asked.size}`;
    return new Promise((resolve) => {
      this.asked.set(id, resolve);
      this.tell({ jsonrpc: "2.0", id, method, params: params as Readonly<Record<string, unknown>> });
    });
  }

  private tell(message: WireMessage): void {
    this.onmessage?.(message as never);
  }
}

/** A client that can be connected to a wire server. */
export interface TestClient extends McpClient {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

/** The clients of both official packages. */
export const clients: readonly (readonly [string, (capabilities?: object) => TestClient])[] = [
  ["sdk 1", (capabilities = {}): TestClient => new Client1({ name: "test", version: "1" }, { capabilities })],
  [
    "client 2",
    (capabilities = {}): TestClient => new Client2({ name: "test", version: "1" }, { capabilities }),
  ],
];

/** A connected client. */
export async function connected(create: () => TestClient, server: WireServer): Promise<TestClient> {
  const client = create();
  await client.connect(server as never);
  return client;
}

/** The definition of a tool. */
export function definition(name: string, fields: object = {}): Readonly<Record<string, unknown>> {
  return { name, inputSchema: { type: "object", properties: {} }, ...fields };
}

/** The answer to `tools/list` with these definitions. */
export function listing(...tools: readonly object[]): WireAnswers {
  return { "tools/list": () => ({ tools }) };
}
