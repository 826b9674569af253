import { requestSchema } from "../first-schema.js";

/** A server for `serveMcp()`: the `McpServer` of an official package, or its low-level `Server`. */
export type McpServerLike = LowLevelMcpServer | { readonly server: LowLevelMcpServer };

/**
 * The part of a low-level server that `serveMcp()` needs. Those of `@modelcontextprotocol/server` and of
 * `@modelcontextprotocol/sdk` have it.
 */
export interface LowLevelMcpServer {
  registerCapabilities(capabilities: { readonly tools: object }): void;
  setRequestHandler(method: never, handler: never): void;
  elicitInput(params: never, options?: McpElicitationSettings): Promise<McpElicitationResult>;
  /** Of `@modelcontextprotocol/server`. */
  getNegotiatedProtocolVersion?(): string | undefined;
}

/** The options of a question to the user of a client. */
export interface McpElicitationSettings {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly relatedRequestId?: string | number;
}

/** What the user of a client has answered. */
export interface McpElicitationResult {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** The request of a client, as both official servers describe it. */
export interface McpCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly id: string | number;
  readonly signal: AbortSignal;
  /** Whether the client wants progress. */
  readonly progressToken: unknown;
  /** Who has sent the request, if the server checks it. */
  readonly authInfo: unknown;
  readonly sessionId: string | undefined;
  readonly notify: (notification: { readonly method: string; readonly params: object }) => Promise<void>;
}

type Handler = (call: McpCall) => unknown;

interface Request {
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The second argument of handlers in `@modelcontextprotocol/sdk`. */
interface FirstContext {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: unknown };
  readonly authInfo?: unknown;
  readonly sessionId?: string;
  readonly sendNotification: McpCall["notify"];
}

/** The second argument of handlers in `@modelcontextprotocol/server`. */
interface SecondContext {
  readonly mcpReq: {
    readonly id: string | number;
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: unknown };
    readonly notify: McpCall["notify"];
  };
  readonly sessionId?: string;
  readonly http?: { readonly authInfo?: unknown };
}

/** Answers the requests of a method. */
export function answerRequests(server: LowLevelMcpServer, method: string, handler: Handler): void {
  if (server.getNegotiatedProtocolVersion !== undefined) {
    const answer = ({ params = {} }: Request, { mcpReq, sessionId, http }: SecondContext): unknown =>
      handler({
        ...{ params, sessionId, authInfo: http?.authInfo },
        ...{ id: mcpReq.id, signal: mcpReq.signal, notify: mcpReq.notify },
        progressToken: mcpReq._meta?.progressToken,
      });
    server.setRequestHandler(method as never, answer as never);
    return;
  }
  const answer = ({ params = {} }: Request, context: FirstContext): unknown =>
    handler({
      ...{ params, sessionId: context.sessionId, authInfo: context.authInfo },
      ...{ id: context.requestId, signal: context.signal, notify: context.sendNotification },
      progressToken: context._meta?.progressToken,
    });
  server.setRequestHandler(requestSchema(method) as never, answer as never);
}
