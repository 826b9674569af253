import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Something that a program can import from the package. */
export interface Entry {
  /** `millrace`, or `millrace/openai`. */
  readonly name: string;
  /** The file in dist, without its extension: `index`, or `openai`. */
  readonly file: string;
  /** The source: `src/models/openai/index.ts`. */
  readonly source: string;
}

/**
 * The entries of the package, from the `paths` of tsconfig.json. The compiler, the tests and the build share that list.
 */
export function packageEntries(root: string): readonly Entry[] {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")) as {
    readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly [string]>> };
  };
  return Object.entries(compilerOptions.paths)
    .filter(([name]) => /^millrace(\/|$)/.test(name))
    .map(([name, [source]]) => ({
      name,
      file: name === "millrace" ? "index" : name.slice("millrace/".length),
      source: source.replace("./", ""),
    }));
}

/** The names of {@link packageEntries}. */
export const entryNames: readonly string[] = packageEntries(join(import.meta.dirname, "..")).map(
  ({ name }) => name,
);
