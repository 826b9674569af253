import { existsSync } from "node:fs";

/**
 * Resolves a path relative to package.json. The bundle and the sources are at different depths, so this searches
 * upwards.
 */
export function packageFile(path: string): URL {
  let folder = new URL("./", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) {
    const parent = new URL("../", folder);
    if (parent.href === folder.href) throw new Error(`No package.json above ${import.meta.url}.`);
    folder = parent;
  }
  return new URL(path, folder);
}
