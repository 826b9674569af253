import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as millrace from "millrace";
import { loadUntyped } from "../../support/load-untyped.js";

/** Checks for the cells about the features of a package, by reading the package. */
type Fact = (library: "millrace" | "LangChain.js" | "AI SDK") => Promise<string> | string;

const nodeModules = join(import.meta.dirname, "../../../node_modules");

export const packageFacts: Readonly<Record<string, Fact>> = {
  "providers available by name": async (library) => {
    if (library === "millrace") {
      const error: unknown = await millrace.initModel("none:none").catch((failure: unknown) => failure);
      const known = /Known providers: (.*)\./.exec((error as Error).message)?.[1]?.split(", ") ?? [];
      return String(known.length);
    }
    if (library === "LangChain.js") {
      const universal = await loadUntyped<{ MODEL_PROVIDER_CONFIG: object }>(
        "langchain/chat_models/universal",
      );
      return String(Object.keys(universal.MODEL_PROVIDER_CONFIG).length);
    }
    const types = readFileSync(join(nodeModules, "@ai-sdk/gateway/dist/index.d.ts"), "utf8");
    const names = /^type GatewayModelId = (.*);$/m.exec(types)?.[1] ?? "";
    return String(new Set([...names.matchAll(/'([\w.-]+)\//g)].map(([, provider]) => provider)).size);
  },

  embeddings: (library) => has(library, /^embed|Embeddings$/i),
  "images, speech, transcription": (library) => has(library, /generateImage|generateSpeech|transcribe/),
  "a graph with checkpoints": (library) => has(library, /^StateGraph$/),
};

/** The modules that may have those features. */
const modules: Readonly<Record<string, readonly string[]>> = {
  millrace: ["millrace", "millrace/serve", "millrace/client", "millrace/testing"],
  "LangChain.js": ["langchain", "@langchain/core/embeddings", "@langchain/langgraph"],
  "AI SDK": ["ai", "@ai-sdk/react"],
};

async function has(library: string, name: RegExp): Promise<string> {
  for (const module of modules[library] ?? []) {
    if (Object.keys(await loadUntyped(module)).some((exported) => name.test(exported))) return "yes";
  }
  return "no";
}
