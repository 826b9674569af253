import { spawn } from "node:child_process";
import { onAbort } from "../../stream/time/on-abort.js";
import { parseOptions } from "./arguments.js";
import type { Command } from "./command.js";
import type { ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { startPlayground } from "../playground/server/start-playground.js";
import { UsageError } from "../terminal/usage-error.js";

export const playgroundCommand: Command = {
  help: `millrace playground: serves a page that shows a document filling in, step by step

Usage
  millrace playground [--port N] [--host HOST] [--recordings DIR] [--no-open]

Paste a document, take a recording, or ask a model, and watch: the chunks as they arrive,
the value as it fills in, the patches, and what they cost. Slow it down, step, cut the
connection and see it resume. The page is for this machine alone: the server listens on the
loopback interface, and answers only its own page. Ctrl-C ends it.

Options
  --port N          the port; by default a free one
  --host HOST       127.0.0.1, ::1 or localhost; 127.0.0.1 by default
  --recordings DIR  a folder with recordings to choose from: .jsonl files with the payloads of
                    a provider, or what record() wrote
  --no-open         do not open the page in a browser
  -h, --help        this text

Environment
  OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY      the keys of the models. They stay in
                                                         the server; the page never sees them
  OPENAI_BASE_URL, ANTHROPIC_BASE_URL, OLLAMA_HOST       where the models are`,
  run,
};

const options = {
  port: { type: "string" },
  host: { type: "string" },
  recordings: { type: "string" },
  "no-open": { type: "boolean" },
} as const;

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const values = parseOptions(argv, options);
  const playground = await startPlayground({
    port: portOf(values.port),
    host: hostOf(values.host),
    recordings: values.recordings,
    env: io.env,
    onError: (error) => {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      io.stderr.write(`millrace playground: ${trace}\n`);
    },
  });
  io.stdout.write(`The playground is at ${playground.url} (Ctrl-C ends it)\n`);
  if (values["no-open"] !== true && io.stdout.isTTY === true) openInBrowser(playground.url);
  await new Promise<void>((resolve) => {
    onAbort(io.signal, resolve);
    if (io.signal.aborted) resolve();
  });
  await playground.stop();
  throw io.signal.reason as Error;
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || text === "")
    throw new UsageError(`--port takes a number from 0 to 65535, but got ${JSON.stringify(text)}.`);
  return port;
}

/** Only loopback addresses: anyone who can open the page can use this machine's API keys. */
function hostOf(host = "127.0.0.1"): string {
  if (["127.0.0.1", "::1", "localhost"].includes(host)) return host;
  throw new UsageError(
    `--host takes 127.0.0.1, ::1 or localhost, but got ${host}: the page is for this machine alone.`,
  );
}

/** Opens the page. Failures are ignored, because the address is on the screen as well. */
function openInBrowser(url: string): void {
  const [command, args] =
    process.platform === "darwin"
      ? (["open", [url]] as const)
      : process.platform === "win32"
        ? (["cmd", ["/c", "start", url]] as const)
        : (["xdg-open", [url]] as const);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
