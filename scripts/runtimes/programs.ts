import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";

/** A program of `programs` as JavaScript. Its imports stay. */
export function withoutTypes(program: string): string {
  const code = readFileSync(join(import.meta.dirname, "programs", program), "utf8");
  return transformSync(code, { loader: "ts", format: "esm", target: "es2022" }).code;
}
