import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fixedPackage, root } from "./projects.js";
import { expectSame, print } from "./run.js";

/** An installed JavaScript runtime. */
export interface Runtime {
  readonly command: string;
  /** Arguments before a program that needs no permissions. */
  readonly flags: readonly string[];
  /** Arguments before a program that connects to loopback. */
  readonly netFlags: readonly string[];
  /** It runs TypeScript directly. */
  readonly typescript: boolean;
  /** Its `console.log()` shows objects as Node's does. */
  readonly printsLikeNode: boolean;
  /** Starts the package's command in a project. The command's own arguments follow. */
  readonly millrace: readonly [command: string, ...args: string[]];
  /** Variables that make the command run on this runtime. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RuntimeEntry {
  readonly name: string;
  /** @throws {Error} if it cannot be installed or found */
  readonly get: () => Promise<Runtime>;
}

/**
 * The oldest Node that package.json allows, and the latest of each later line when this was written. The versions are
 * fixed, so a release that is only partly on the registry cannot break a build.
 */
export const runtimes: readonly RuntimeEntry[] = [
  { name: "Node 20.19.0", get: () => node("20.19.0", false) },
  { name: "Node 22.23.3", get: () => node("22.23.3", true) },
  { name: "Node 24.21.0", get: () => node("24.21.0", true) },
  { name: "Bun", get: bun },
  { name: "Deno", get: deno },
];

/** Installs Node from the package with the binary. The package `node` would fetch it in an install script. */
async function node(version: string, typescript: boolean): Promise<Runtime> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const bin = join(await fixedPackage(name, version), "bin");
  const command = join(bin, "node");
  expectSame(await print(command, ["--version"], { cwd: root }), `v${version}`);
  return {
    command,
    flags: [],
    netFlags: [],
    typescript,
    printsLikeNode: true,
    millrace: ["npx", "--offline", "millrace"],
    env: { PATH: [bin, process.env["PATH"] ?? ""].join(delimiter) }, // npx and the command both start with `env node`
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

/** With the fewest permissions: the README's examples need none, and React reads one variable. */
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
