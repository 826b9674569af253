import { type ChatModel, initModel, ModelError } from "millrace";
import { RequestError } from "millrace/serve";
import type { Provider } from "../protocol.js";

/** Creates a model with the key from the server's environment. A missing key is reported now, not by the first request. */
export async function modelFor(name: string): Promise<ChatModel> {
  try {
    const model = await initModel(name);
    const isMissing = keysOf[model.provider]?.every((key) => (process.env[key] ?? "").trim() === "");
    return isMissing === true ? await initModel(name, { apiKey: "" }) : model;
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    const message = missing(cause) ?? cause.message;
    throw new RequestError("invalid_input", message, { cause });
  }
}

/** Lists the providers and whether each is configured. Does not return keys. */
export async function providers(): Promise<Provider[]> {
  return Promise.all(
    examples.map(async (example) => {
      const name = example.split(":", 1)[0] as string;
      try {
        await modelFor(example);
        return { name, example };
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        return { name, example, missing: error.message };
      }
    }),
  );
}

/** The environment variables of each provider that needs a key. */
const keysOf: Readonly<Partial<Record<string, readonly string[]>>> = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
};

const examples = [
  "openai:gpt-6.1-terra",
  "anthropic:claude-sonnet-5-5",
  "gemini:gemini-3.8-flash",
  "ollama:llama3.2",
];

/** A message about a missing key that fits the page, where users cannot enter a key. */
function missing({ environmentVariable }: ModelError): string | undefined {
  if (environmentVariable === undefined) return undefined;
  return `The server has no API key. Set ${environmentVariable} in its environment and restart the playground.`;
}
