import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Writes a file in the format of the project. */
export function writeFormatted(file: string, text: string): void {
  writeFileSync(file, text);
  execFileSync("node_modules/.bin/oxfmt", [file]);
}
