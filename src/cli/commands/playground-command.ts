import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseOptions } from "./arguments.js";
import type { Command } from "./command.js";
import { environmentHelp } from "./connection.js";
import type { ExitCode } from "../terminal/exit-codes.js";
import { helpRow } from "../terminal/help.js";
import type { Io } from "../terminal/io.js";
import { printable } from "../terminal/printable.js";
import { fieldOf, textFieldOf } from "../../text/thrown.js";
import { untilStopped } from "../terminal/stop.js";
import { UsageError } from "../terminal/usage-error.js";
import { noop } from "../../stream/core/result.js";

export const playgroundCommand: Command = {
  help: {
    title: "millrace playground: serves a page that shows how a document fills in",
    parts: [
      {
        heading: "Usage",
        commands: ["millrace playground [--port N] [--host HOST] [--recordings DIR] [--no-open]"],
      },
      "Paste a document, choose a recording or ask a model. The page shows the chunks as they arrive, the value as it " +
        "fills in, the patches and their cost. You can slow a run down, step through it, and cut the connection to see " +
        "it resume. The server listens on the loopback interface and accepts requests only from its own page. Press " +
        "Ctrl-C to stop it.",
      "The page and its server are a package of their own: npm install millrace-playground.",
      {
        heading: "Options",
        rows: [
          ["--port N", "the port; default: a free port"],
          ["--host HOST", "127.0.0.1, ::1 or localhost; default: 127.0.0.1"],
          [
            "--recordings DIR",
            "a folder of recordings: .jsonl files with a provider's payloads, or transcripts of record()",
          ],
          ["--no-open", "do not open a browser"],
          helpRow,
        ],
      },
      environmentHelp("addresses of the model servers"),
      "Keys stay on the server; the page never receives them.",
    ],
  },
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
  const playground = await start({
    port: portOf(values.port),
    host: hostOf(values.host),
    recordings: values.recordings,
    onError: (error) => {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      io.stderr.write(`millrace playground: ${printable(trace)}\n`);
    },
  });
  io.stdout.write(`Playground: ${playground.url} (press Ctrl-C to stop)\n`);
  if (values["no-open"] !== true && io.stdout.isTTY === true) openInBrowser(playground.url);
  try {
    return await untilStopped(io.signal);
  } finally {
    await playground.stop();
  }
}

const packageName = "millrace-playground";

/** The exports of the package that the command uses. */
interface PlaygroundPackage {
  readonly PlaygroundError: abstract new (...args: never[]) => Error;
  readonly startPlayground: (options: StartOptions) => Promise<StartedPlayground>;
}

interface StartOptions {
  readonly port: number;
  readonly host: string;
  readonly recordings: string | undefined;
  readonly onError: (error: unknown) => void;
}

interface StartedPlayground {
  readonly url: string;
  stop(): Promise<void>;
}

async function start(options: StartOptions): Promise<StartedPlayground> {
  const { startPlayground, PlaygroundError } = await loadPackage();
  try {
    return await startPlayground(options);
  } catch (error) {
    if (error instanceof PlaygroundError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Loads the package beside this one or, for a global command, the package of the project. */
async function loadPackage(): Promise<PlaygroundPackage> {
  try {
    return (await import(packageName)) as PlaygroundPackage;
  } catch (error) {
    // If another module is missing, the package is there, and its own import has failed.
    const isMissing = /["']millrace-playground["']/.test(textFieldOf(error, "message"));
    if (!isMissing || fieldOf(error, "code") !== "ERR_MODULE_NOT_FOUND") throw error;
  }
  return (await import(pathToFileURL(inProject()).href)) as PlaygroundPackage;
}

/** @throws {UsageError} if the package is not installed */
function inProject(): string {
  try {
    return createRequire(join(process.cwd(), "package.json")).resolve(packageName);
  } catch (cause) {
    const advice = `Install it with: npm install ${packageName}`;
    throw new UsageError(`The playground is a package of its own. ${advice}`, { cause });
  }
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || text === "")
    throw new UsageError(`--port must be an integer from 0 to 65535, but got ${JSON.stringify(text)}.`);
  return port;
}

/** Only loopback addresses: anyone who can open the page can use this machine's API keys. */
function hostOf(host = "127.0.0.1"): string {
  if (["127.0.0.1", "::1", "localhost"].includes(host)) return host;
  throw new UsageError(
    `--host must be 127.0.0.1, ::1 or localhost, but got ${host}. The playground accepts only local connections.`,
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
  child.on("error", noop);
  child.unref();
}
