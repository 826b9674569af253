import { Client as ModernClient } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer as FirstServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as ModernServer } from "@modelcontextprotocol/server";
import { mcpTools, serveMcp } from "millrace/mcp";

const info = { name: "app", version: "1" };
void mcpTools(new ModernClient(info), { prefix: "a" });
void mcpTools(new FirstClient(info), { reconnect: async () => new FirstClient(info) });
// @ts-expect-error -- a server is no client
void mcpTools({ name: "x" });

serveMcp(new ModernServer(info), { tools: [] });
serveMcp(new FirstServer(info), { agents: [] });
serveMcp(new ModernServer(info).server, {});
serveMcp(new FirstServer(info).server, {});
