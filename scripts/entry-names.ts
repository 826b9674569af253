import { readFileSync } from "node:fs";
import { join } from "node:path";

const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
};

/** What a program imports from the package: `millrace`, `millrace/openai` and so on, in the order of package.json. */
export const entryNames: readonly string[] = Object.keys(exports)
  .filter((path) => path !== "./package.json")
  .map((path) => path.replace(/^\./, "millrace"));
