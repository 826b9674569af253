import { looseSchema } from "./first-schema.js";

/**
 * The part of a client that `mcpTools()` needs. The `Client` of `@modelcontextprotocol/client` and that of
 * `@modelcontextprotocol/sdk` have it.
 */
export interface McpClient {
  /** @param resultSchema each client has a type of its own for it */
  request(request: McpRequest, resultSchema: never, options?: McpRequestSettings): Promise<unknown>;
  /** The kind of protocol that was negotiated. Only the client of version 2 has it. */
  getProtocolEra?(): string | undefined;
  callTool(params: never, options?: never): Promise<unknown>;
  setRequestHandler(method: never, handler: never): void;
  /** Called with the notifications for which the client has no handler. */
  fallbackNotificationHandler?: ((notification: McpNotification) => Promise<void>) | undefined;
}

/** A request to a server. */
export interface McpRequest {
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

/** A notification of a server. */
export interface McpNotification {
  readonly method: string;
}

/** The options of a request, as both official clients take them. */
export interface McpRequestSettings {
  readonly signal?: AbortSignal;
  /** Milliseconds without an answer or progress. */
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (progress: McpProgress) => void;
}

/** A report of a server while a call runs. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/**
 * Accepts any result. The official schemas would reject a whole result for one block of a type that they do not know, and
 * a whole list for one wrong tool. So results are read by `result.ts` and `listing.ts` instead. The
 * second SDK takes a Standard Schema.
 */
const anyResult = {
  ...looseSchema,
  "~standard": { version: 1, vendor: "millrace", validate: (value: unknown) => ({ value }) },
};

/** Asks the server. */
export function askServer(
  client: McpClient,
  request: McpRequest,
  options: McpRequestSettings,
): Promise<unknown> {
  return client.request(request, anyResult as never, options);
}

/**
 * Calls a tool. In the protocol of 2026, arguments may also have to be sent as headers, which only `callTool()` of the
 * client does. It gets the definition without the output schema, which is checked here.
 */
export function askTool(
  client: McpClient,
  { name, inputSchema }: { readonly name: string; readonly inputSchema: unknown },
  args: Record<string, unknown>,
  options: McpRequestSettings,
): Promise<unknown> {
  const params = { name, arguments: args };
  if (client.getProtocolEra?.() !== "modern")
    return askServer(client, { method: "tools/call", params }, options);
  return client.callTool(params as never, { ...options, toolDefinition: { name, inputSchema } } as never);
}
