import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print } from "./run.js";

/** The root of the repository. */
export const root: string = join(import.meta.dirname, "../..");

/** Three projects of a user. */
export interface Projects {
  /** With the package and its dependencies, without optional peers. */
  readonly bare: string;
  /** With the types of Node. */
  readonly node: string;
  /** With the optional peers. */
  readonly app: string;
}

/** Packs the current dist. */
export async function pack(home: string): Promise<string> {
  if (!existsSync(join(root, "dist/index.js"))) throw new Error("There is no dist: npm run build");
  const printed = await print("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", home], {
    cwd: root,
  });
  return join(home, printed.trim().split("\n").at(-1) as string);
}

/** Installs the tarball. The peers have the versions of the repository, so a run can be repeated. */
export async function makeProjects(home: string, tarball: string): Promise<Projects> {
  const bare = join(home, "bare");
  mkdirSync(bare);
  writeFileSync(
    join(bare, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
  await install(bare, [tarball]);
  const withPackages = async (name: string, packages: readonly string[]): Promise<string> => {
    const folder = join(home, name);
    cpSync(bare, folder, { recursive: true, verbatimSymlinks: true });
    await install(folder, packages.map(asInstalled));
    return folder;
  };
  return {
    bare,
    node: await withPackages("node", ["@types/node"]),
    app: await withPackages("app", ["zod", "react", "vue", "svelte", "solid-js", "@reactivex/ix-esnext-esm"]),
  };
}

async function install(cwd: string, packages: readonly string[]): Promise<void> {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  await print("npm", ["install", ...flags, ...packages], { cwd, timeout: 180_000 });
}

/** With the version in the repository's `node_modules`. */
function asInstalled(name: string): string {
  const path = join(root, "node_modules", name, "package.json");
  const { version } = JSON.parse(readFileSync(path, "utf8")) as { readonly version: string };
  return `${name}@${version}`;
}

/** Installs a version of a package in `temp/runtimes`, unless it is there. Returns its folder. */
export async function fixedPackage(name: string, version: string): Promise<string> {
  const home = join(root, "temp/runtimes", `${name}-${version}`);
  const folder = join(home, "node_modules", name);
  if (!existsSync(folder)) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ private: true }));
    await install(home, ["--no-save", "--no-package-lock", `${name}@${version}`]);
  }
  return folder;
}
