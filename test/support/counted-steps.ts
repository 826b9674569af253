import { rmSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { vi } from "vitest";
import type * as Millrace from "millrace";
import type * as Json from "millrace/json";
import type * as Ui from "millrace/ui";

/** A copy of the package whose steps are counted. */
export interface CountedPackage {
  readonly millrace: typeof Millrace & typeof Json & typeof Ui;
  /** How many steps of the package the work takes. */
  stepsOf(work: () => unknown): number;
  /** The same of work that is asynchronous. */
  stepsUntil(work: () => Promise<unknown>): Promise<number>;
  close(): void;
}

/**
 * Loads the package again, and counts its steps: the blocks of code that V8 enters, as it counts them for coverage. A
 * turn of a loop and a call of a function are one each, so the count does not depend on the machine, and no hook in the
 * code is needed. The work of built-in functions is not counted.
 */
export async function countedPackage(): Promise<CountedPackage> {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  // V8 counts in code that it compiles after this call, so the package is bundled for this copy alone.
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const file = join(import.meta.dirname, `../../temp/counted-${process.pid}-${copies++}.mjs`);
  bundle(file);
  const { href } = pathToFileURL(file);
  const take = (): number => {
    let steps = 0;
    session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error !== null) throw error;
      const { functions = [] } = result.find(({ url }) => url === href) ?? {};
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    });
    return steps;
  };
  return {
    millrace: (await import(href)) as CountedPackage["millrace"],
    stepsOf: (work) => {
      take();
      work();
      return take();
    },
    stepsUntil: async (work) => {
      take();
      await work();
      return take();
    },
    close: () => {
      session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
      rmSync(file);
    },
  };
}

let copies = 0;

/** How many characters `indexOf()` looks at during the work. Steps do not show them. */
export async function charactersSearched(work: () => unknown): Promise<number> {
  let characters = 0;
  const spy = vi.spyOn(String.prototype, "indexOf");
  spy.mockImplementation(function (this: string, text, from = 0) {
    const rest = this.slice(from);
    const [{ length } = ""] = rest.split(text, 1);
    characters += length;
    return length === rest.length ? -1 : from + length;
  });
  await work();
  spy.mockRestore();
  return characters;
}

function bundle(outfile: string): void {
  buildSync({
    stdin: {
      contents: 'export * from "millrace"; export * from "millrace/json"; export * from "millrace/ui";',
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
}
