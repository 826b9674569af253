import { Client as ModernClient } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { mcpTools } from "millrace/mcp";

const info = { name: "app", version: "1" };
void mcpTools(new ModernClient(info), { prefix: "a" });
void mcpTools(new FirstClient(info), { reconnect: async () => new FirstClient(info) });
// @ts-expect-error -- a server is no client
void mcpTools({ name: "x" });
