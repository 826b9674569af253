import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../runtimes/projects.js";
import { Skipped } from "../runtimes/report.js";
import { print } from "../runtimes/run.js";

const templates = join(root, "templates");

interface Manifest {
  readonly engines?: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** The templates of `npm create millrace`. */
export const starterNames: readonly string[] = readdirSync(templates, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * Creates an app in a new folder below `home`, as `npm create millrace` does.
 *
 * @returns its folder
 */
export async function createStarter(home: string, template: string, tarball: string): Promise<string> {
  const needed = manifestOf(join(templates, template)).engines?.node.replace(">=", "");
  if (needed?.localeCompare(process.versions.node, "en", { numeric: true }) === 1)
    throw new Skipped(`it needs Node ${needed}`);
  const args = [template, "--template", template, "--millrace", `file:${tarball}`];
  await print(process.execPath, [join(templates, "create.js"), ...args], { cwd: home });
  return join(home, template);
}

/**
 * Installs the newest version of each package of an app but millrace, the types of Node, which follow its oldest Node,
 * h3, which Nuxt chooses, and TypeScript where the checker of Svelte or Vue does.
 *
 * @returns the packages with their versions
 */
export async function newest(app: string): Promise<string[]> {
  const { dependencies, devDependencies } = manifestOf(app);
  const isChecked = ["svelte-check", "vue-tsc"].some((name) => name in devDependencies);
  const kept = ["millrace", "@types/node", "h3", ...(isChecked ? ["typescript"] : [])];
  const packages = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !kept.includes(name),
  );
  const wanted = packages.map((name) => `${name}@latest`);
  await print("npm", ["install", ...wanted], { cwd: app, timeout: 300_000 });
  return packages.map((name) => {
    const path = join(app, "node_modules", name, "package.json");
    return `${name} ${(JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version}`;
  });
}
