import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { test as base } from "vitest";
import { endOf, type Lines, linesOf } from "./lines.js";

export const root = resolve(import.meta.dirname, "../../../..");

/** A program of docs/examples in its own process. */
export interface Program {
  readonly stdout: Lines;
  readonly stderr: Lines;
  /** The exit code, or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/**
 * @param program path below `docs/examples`
 * @param env replaces the variables of models in the environment
 */
export type Start = (program: string, argv?: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Program>;

/** A test that starts programs. Those that still run after it are killed. */
export const test = base.extend<{ readonly start: Start; readonly startByTsx: Start }>({
  start: async ({}, use) => {
    await mkdir(join(root, "temp"), { recursive: true });
    const folder = await mkdtemp(join(root, "temp/sample-")); // the folder of node_modules
    const started: Program[] = [];
    await use(async (program, argv = [], env = {}) => {
      const file = join(folder, program.replace(/\W/g, "-") + ".mjs");
      await writeFile(file, await bundled(program));
      started.push(run([file, ...argv], env));
      return started.at(-1) as Program;
    });
    await end(started);
    await rm(folder, { recursive: true });
  },
  startByTsx: async ({}, use) => {
    const started: Program[] = [];
    await use(async (program, argv = [], env = {}) => {
      started.push(run(["--import", "tsx", join("docs/examples", program), ...argv], env));
      return started.at(-1) as Program;
    });
    await end(started);
  },
});

const bundles = new Map<string, Promise<string>>();

/** One bundled file, because tsx takes a second to compile everything for each process. */
function bundled(program: string): Promise<string> {
  const bundle = bundles.get(program) ?? bundleOf(join(root, "docs/examples", program));
  bundles.set(program, bundle);
  return bundle;
}

async function bundleOf(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    // The program finds its letters and its page in its folder.
    define: {
      "import.meta.dirname": JSON.stringify(dirname(source)),
      "import.meta.url": JSON.stringify(pathToFileURL(source).href),
    },
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

function run(argv: readonly string[], env: NodeJS.ProcessEnv): Program {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, MODEL: _model, ...others } = process.env;
  const child = spawn(process.execPath, argv, {
    cwd: root,
    env: { ...others, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = endOf(child);
  const stderr = linesOf(child.stderr, ended, () => "");
  const stdout = linesOf(child.stdout, ended, () => stderr.all.join("\n"));
  return { stdout, stderr, ended, kill: (signal) => child.kill(signal) };
}

async function end(programs: readonly Program[]): Promise<void> {
  for (const { kill } of programs) kill("SIGKILL");
  await Promise.all(programs.map(({ ended }) => ended));
}
