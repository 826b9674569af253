import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The output of a process. */
export interface Lines {
  /** All output so far. */
  readonly all: readonly string[];
  /** The first line that matches, now or later. An error if the program ends before. */
  like(pattern: RegExp): Promise<string>;
}

/** The exit code or the signal of a process, after all its output. */
export function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve(code ?? (signal as NodeJS.Signals));
    });
  });
}

/**
 * @param ended resolves at the end of the output
 * @param complaint details for the error if a line never arrives
 */
export function linesOf(
  stream: Readable,
  ended: Promise<number | NodeJS.Signals>,
  complaint: () => string,
): Lines {
  const all: string[] = [];
  let waiting: { readonly pattern: RegExp; readonly found: (line: string) => void }[] = [];
  createInterface(stream).on("line", (line) => {
    all.push(line);
    for (const { pattern, found } of waiting) if (pattern.test(line)) found(line);
    waiting = waiting.filter(({ pattern }) => !pattern.test(line));
  });
  return {
    all,
    like: (pattern) => {
      const before = all.find((line) => pattern.test(line));
      if (before !== undefined) return Promise.resolve(before);
      return new Promise((found, reject) => {
        waiting.push({ pattern, found });
        ended.then((end) => {
          reject(new Error(`Ended (${end}) without ${String(pattern)}:\n${all.join("\n")}\n${complaint()}`));
        }, reject);
      });
    },
  };
}
