import { existsSync } from "node:fs";

/** A file of the package, by its path from package.json. The bundle and the sources are at different depths below it. */
export function packageFile(path: string): URL {
  let folder = new URL("./", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) {
    const parent = new URL("../", folder);
    if (parent.href === folder.href) throw new Error(`No package.json above ${import.meta.url}.`);
    folder = parent;
  }
  return new URL(path, folder);
}
