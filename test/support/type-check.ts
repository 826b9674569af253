import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "../..");

/** An error of the compiler. Lines count from 1. */
export interface Complaint {
  readonly line: number;
  readonly message: string;
}

/**
 * Type-checks files with the compiler options of a `tsconfig.json` of the project, and others.
 *
 * @param folder below the root, for a `tsconfig.json` of its own
 * @returns the errors of each file that has some
 */
export async function typeCheck(
  folder: string,
  files: readonly string[],
  compilerOptions: object = {},
  base = "tsconfig.json",
): Promise<ReadonlyMap<string, readonly Complaint[]>> {
  const config = { extends: join(root, base), compilerOptions, files, include: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const found = new Map<string, Complaint[]>();
  for (const [, path, line, message] of (await printedBy(folder)).matchAll(complaint)) {
    const file = resolve(folder, path as string);
    const complaints = found.get(file) ?? [];
    complaints.push({ line: Number(line), message: message as string });
    found.set(file, complaints);
  }
  return found;
}

/** `a.ts(3,7): error TS2322: It is wrong.`, perhaps with reasons, each in an indented line. */
const complaint = /^(\S.*?)\((\d+),\d+\): error TS\d+: (.*(?:\n +.*)*)$/gm;

async function printedBy(folder: string): Promise<string> {
  return new Promise((done, fail) => {
    const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
    const args = [compiler, "--pretty", "false"];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      // Errors of types have a place; others are about the options.
      if (error !== null && stdout.search(complaint) < 0)
        fail(new Error(`${stdout}${stderr}`, { cause: error }));
      else done(stdout);
    });
  });
}
