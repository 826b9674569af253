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
  elicitInput(params: never, options?: McpElicitationSettings): Promise<unknown>;
  /** Only the server of version 2 has it. */
  getNegotiatedProtocolVersion?(): string | undefined;
}

/** The options of a question to the user of a client. */
export interface McpElicitationSettings {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly relatedRequestId?: string | number;
}

/** The request of a client, as both official servers describe it. */
export interface McpCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly id: string | number;
  readonly signal: AbortSignal;
  /** Whether the client wants progress. */
  readonly progressToken: unknown;
  /** The identity of the caller, if the server checks it. */
  readonly authInfo: unknown;
  readonly sessionId: string | undefined;
  /** In the protocol of 2026: the answers to the questions of an earlier answer to the same call. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The state that the client sends again with the answers. */
  readonly requestState: string | undefined;
  /** Whether questions to the user go with the answer, and the client can ask them. Absent in earlier protocols. */
  readonly questions: "possible" | "impossible" | undefined;
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
    readonly inputResponses?: Readonly<Record<string, unknown>>;
    readonly requestState?: () => unknown;
    readonly envelope?: Readonly<Record<string, unknown>>;
  };
  readonly sessionId?: string;
  readonly http?: { readonly authInfo?: unknown };
}

/** Where each request of the protocol of 2026 has what its client can do. */
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/** Answers the requests of a method. */
export function answerRequests(server: LowLevelMcpServer, method: string, handler: Handler): void {
  if (server.getNegotiatedProtocolVersion !== undefined) {
    const answer = ({ params = {} }: Request, { mcpReq, sessionId, http }: SecondContext): unknown => {
      const { id, signal, notify, _meta, inputResponses, requestState, envelope } = mcpReq;
      const state = requestState?.();
      const isModern = (server.getNegotiatedProtocolVersion?.() ?? "") >= "2026";
      const { elicitation } = Object(envelope?.[capabilitiesKey]) as { readonly elicitation?: unknown };
      return handler({
        ...{ params, sessionId, authInfo: http?.authInfo, id, signal, notify },
        progressToken: _meta?.progressToken,
        answers: inputResponses ?? {},
        requestState: typeof state === "string" ? state : undefined,
        questions: !isModern ? undefined : elicitation === undefined ? "impossible" : "possible",
      });
    };
    server.setRequestHandler(method as never, answer as never);
    return;
  }
  const answer = ({ params = {} }: Request, context: FirstContext): unknown =>
    handler({
      ...{ params, sessionId: context.sessionId, authInfo: context.authInfo },
      ...{ id: context.requestId, signal: context.signal, notify: context.sendNotification },
      progressToken: context._meta?.progressToken,
      ...{ answers: {}, requestState: undefined, questions: undefined },
    });
  server.setRequestHandler(requestSchema(method) as never, answer as never);
}
