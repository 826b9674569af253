import { unchanged } from "../../dialect/dialect.js";
import { grammarDialect } from "../../dialect/grammar/schema.js";
import type { SchemaDialects } from "./request-parts.js";
import { type LocalServer, localServers } from "./servers.js";

/** The dialects of a local server. vLLM reads whole schemas; the others convert them as llama.cpp does. */
export function localSchemas(server: LocalServer): SchemaDialects {
  const strict = server === "vllm" ? unchanged : grammarDialect(localServers[server].title);
  return { strict, loose: unchanged, tool: strict };
}
