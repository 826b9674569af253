import { UsageError } from "../../terminal/usage-error.js";
import { recipeText } from "./recipe.js";

/** A model server on this machine. It sends the same answer each time, over real HTTP and server-sent events. */
export interface MockServer {
  readonly baseURL: string;
  stop(): Promise<void>;
}

/** Speed of the answer. A token of English JSON has about six characters. */
const pace = { chunkSize: 6, streamingProfile: { ttft: 400, tps: 60, jitter: 0.4 } };

/**
 * Starts `@copilotkit/aimock` on a free port of the loopback interface. It is a development dependency and loaded only
 * here, so installing the package does not install a server.
 *
 * @throws {UsageError} if it is not installed
 */
export async function startMockServer(): Promise<MockServer> {
  const { LLMock } = await import("@copilotkit/aimock").catch((cause: unknown) => {
    throw new UsageError(notInstalled, { cause });
  });
  const server = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent" });
  server.on({ endpoint: "chat" }, { content: recipeText }, pace);
  await server.start();
  return { baseURL: `${server.url}/v1`, stop: () => server.stop() };
}

const notInstalled =
  "Without an API key, the demo needs the mock model server @copilotkit/aimock, which is not installed. " +
  "Install it (npm install --save-dev @copilotkit/aimock), set OPENAI_API_KEY, " +
  "or pass --base-url with the address of an OpenAI-compatible server.";
