export type { McpClient, McpNotification, McpProgress, McpRequest, McpRequestSettings } from "./client.js";
export type { McpElicitation, McpElicitationAnswer, OnElicitation } from "./elicitation.js";
export type { Reconnect } from "./connection.js";
export { McpToolsError, type McpToolsErrorCode, type McpToolsErrorDetails } from "./errors.js";
export { mcpTools, type McpTools, type McpToolsOptions, type NameSelection } from "./mcp-tools.js";
export { serveMcp, type McpCaller, type ServeMcpOptions } from "./server/serve-mcp.js";
export type { ServedAgent } from "./server/served-agent.js";
export type { LowLevelMcpServer, McpElicitationSettings, McpServerLike } from "./server/server.js";
