import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { root } from "./projects.js";
import { expectSame, print } from "./run.js";

/** Something that runs JavaScript, ready to run it. */
export interface Runtime {
  readonly command: string;
  /** Between the command and a program that asks for nothing from outside. */
  readonly flags: readonly string[];
  /** The same, for a program that reaches servers on loopback. */
  readonly netFlags: readonly string[];
  /** It runs TypeScript as it is. */
  readonly typescript: boolean;
  /** Its `console.log()` shows objects as Node's does. */
  readonly printsLikeNode: boolean;
  /** How the package's command is started in a project: with what, and the arguments before its own. */
  readonly millrace: readonly [command: string, ...args: string[]];
  /** With what makes the command run on this runtime. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RuntimeEntry {
  readonly name: string;
  /** @throws {Error} if it is not there */
  readonly get: () => Promise<Runtime>;
}

/**
 * The oldest Node that package.json allows, and the last of the later lines when this was written. The versions are named, as
 * a release that the registry has only in part must not break a build of today.
 */
export const runtimes: readonly RuntimeEntry[] = [
  { name: "Node 20.19.0", get: () => node("20.19.0", false) },
  { name: "Node 22.23.3", get: () => node("22.23.3", true) },
  { name: "Node 24.21.0", get: () => node("24.21.0", true) },
  { name: "Bun", get: bun },
  { name: "Deno", get: deno },
];

/** Node as a package: the one that holds the program itself, as that of the name `node` fetches it in an install script. */
async function node(version: string, typescript: boolean): Promise<Runtime> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const home = join(root, "temp/runtimes", version);
  const bin = join(home, "node_modules", name, "bin");
  const command = join(bin, "node");
  if (!existsSync(command)) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ private: true }));
    const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
    await print("npm", ["install", ...flags, `${name}@${version}`], { cwd: home, timeout: 180_000 });
  }
  expectSame(await print(command, ["--version"], { cwd: home }), `v${version}`);
  return {
    command,
    flags: [],
    netFlags: [],
    typescript,
    printsLikeNode: true,
    millrace: ["npx", "--offline", "millrace"],
    env: { PATH: [bin, process.env["PATH"] ?? ""].join(delimiter) }, // npx and the command are both of `env node`
  };
}

async function bun(): Promise<Runtime> {
  const command = installed("bun");
  await print(command, ["--version"], { cwd: root });
  return {
    command,
    flags: [],
    netFlags: [],
    typescript: true,
    printsLikeNode: false,
    millrace: [command, "x", "--bun", "--no-install", "millrace"],
    env: { PATH: [dirname(command), process.env["PATH"] ?? ""].join(delimiter) },
  };
}

/** With the fewest permissions: the README's examples need none, React reads one variable. */
async function deno(): Promise<Runtime> {
  const command = installed("deno");
  await print(command, ["--version"], { cwd: root });
  return {
    command,
    flags: ["run", "--no-prompt"],
    netFlags: ["run", "--no-prompt", "--allow-net=127.0.0.1", "--allow-env=NODE_ENV"],
    typescript: true,
    printsLikeNode: false,
    millrace: [command, "run", "--no-prompt", "--allow-all", "npm:millrace"],
    env: {},
  };
}

function installed(name: string): string {
  const command = join(root, "node_modules/.bin", name);
  if (existsSync(command)) return command;
  throw new Error(`There is no ${command}: npm ci`);
}
