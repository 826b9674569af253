/**
 * `npm run release:version` writes the next version of the changesets, and the address of the repository, into each
 * package. The address is that of the remote `origin`: a fork publishes under its own.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../docs/.vitepress/repository.js";
import { packageLinks } from "./package-links.js";

interface Manifest {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["inherit", "pipe", "inherit"] });
const read = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;

const remote = run("git", "remote", "get-url", "origin");
packageLinks(remote, ""); // Before anything is written.
run("npx", "changeset", "version");
const { version } = read("");
for (const folder of ["", "templates", "playground"]) {
  const manifest = read(folder);
  const peers = manifest.peerDependencies;
  const changed = {
    ...manifest,
    version,
    ...packageLinks(remote, folder),
    ...(peers?.["millrace"] !== undefined && { peerDependencies: { ...peers, millrace: `^${version}` } }),
  };
  writeFileSync(join(root, folder, "package.json"), `${JSON.stringify(changed, null, 2)}\n`);
}
run("npm", "install", "--package-lock-only", "--ignore-scripts");
