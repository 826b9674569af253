export type { McpClient, McpNotification, McpProgress, McpRequest, McpRequestOptions } from "./client.js";
export type { Reconnect } from "./connection.js";
export { McpToolsError, type McpToolsErrorCode, type McpToolsErrorDetails } from "./errors.js";
export { mcpTools, type McpTools, type McpToolsOptions, type NameSelection } from "./mcp-tools.js";
