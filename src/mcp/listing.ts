import { isRecord } from "../messages/loose.js";
import { askServer, type McpClient, type McpRequestSettings } from "./client.js";
import { McpToolsError } from "./errors.js";

export interface ListBounds {
  readonly maxTools: number;
  readonly maxPages: number;
}

/**
 * The definitions of all tools of a server, page by page.
 *
 * @throws {McpToolsError} `listing` if it has no end. Errors of the client are thrown unchanged
 */
export async function listTools(
  client: McpClient,
  { maxTools, maxPages }: ListBounds,
  options: McpRequestSettings,
): Promise<unknown[]> {
  const definitions: unknown[] = [];
  const cursors = new Set<string>();
  let params: { readonly cursor?: string } = {};
  for (let page = 1; page <= maxPages; page++) {
    const result = await askServer(client, { method: "tools/list", params }, options);
    const { tools, nextCursor }: Readonly<Record<string, unknown>> = isRecord(result) ? result : {};
    if (!Array.isArray(tools)) throw new McpToolsError("listing", "The server sent a list without tools.");
    if (definitions.length + tools.length > maxTools) {
      const problem = `The server has more than ${maxTools} tools (maxTools).`;
      throw new McpToolsError("listing", problem);
    }
    for (const tool of tools as unknown[]) definitions.push(tool);
    if (typeof nextCursor !== "string") return definitions;
    if (cursors.has(nextCursor)) {
      throw new McpToolsError("listing", "The list of tools does not end: the server sent a cursor twice.");
    }
    cursors.add(nextCursor);
    params = { cursor: nextCursor };
  }
  throw new McpToolsError("listing", `The list of tools has more than ${maxPages} pages (maxPages).`);
}
