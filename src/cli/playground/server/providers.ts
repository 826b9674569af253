import type { ChatModel } from "../../../models/contract/chat-model.js";
import { ModelError } from "../../../models/contract/errors.js";
import { initModel } from "../../../models/init-model.js";
import { connection } from "../../commands/connection.js";
import type { Io } from "../../terminal/io.js";
import type { Provider } from "../protocol.js";
import { RequestError } from "../../../serve/http/request-error.js";

/** Creates a model with the key from the server's environment. */
export async function modelFor(name: string, env: Io["env"]): Promise<ChatModel> {
  try {
    return await initModel(name, connection(name, env, undefined));
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    const message = missing(cause) ?? cause.message;
    throw new RequestError("invalid_input", message, { cause });
  }
}

/** Lists the providers and whether each is configured. Does not return keys. */
export async function providers(env: Io["env"]): Promise<Provider[]> {
  return Promise.all(
    examples.map(async (example) => {
      const name = example.split(":", 1)[0] as string;
      try {
        await modelFor(example, env);
        return { name, example };
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        return { name, example, missing: error.message };
      }
    }),
  );
}

const examples = [
  "openai:gpt-5-mini",
  "anthropic:claude-sonnet-4-5",
  "gemini:gemini-2.5-flash",
  "ollama:llama3.2",
];

/** A message about a missing key that fits the page, where users cannot enter a key. */
function missing({ environmentVariable }: ModelError): string | undefined {
  if (environmentVariable === undefined) return undefined;
  return `The server has no API key. Set ${environmentVariable} in its environment and restart the playground.`;
}
