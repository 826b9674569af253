import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type Program, root, test } from "./support/program.js";

/**
 * The first commands in the README of each sample are run with tsx, and must print the lines that the README shows
 * after them.
 */

/** Here servers listen on any free port, and their clients get its number. */
const places: Readonly<Record<string, (address: string) => readonly string[]>> = {
  "hono-react/main.ts": () => ["--port", "0"],
  "ag-ui/main.ts": () => ["--port", "0"],
  "ag-ui/client.ts": (address) => ["--url", address],
};

const home = join(root, "docs/examples");
const samples = readdirSync(home).filter((name) => readdirSync(join(home, name)).includes("README.md"));

describe("the README of", () => {
  for (const sample of samples) {
    const readme = readFileSync(join(home, sample, "README.md"), "utf8");

    test(`${sample} shows the real output`, async ({ startByTsx }) => {
      const shown = commandsOf(readme);
      expect(shown.length).toBeGreaterThan(0);
      let address = "";
      for (const { program, argv, lines } of shown) {
        const run = await startByTsx(program, [...argv, ...(places[program]?.(address) ?? [])]);
        for (const line of lines) await said(run, line);
        address = /http:\S+?\/(?=[ ,])/.exec(run.stdout.all[0] ?? "")?.[0] ?? address;
      }
    });

    test(`${sample} mentions each of its programs`, () => {
      const programs = readdirSync(join(home, sample), { recursive: true, encoding: "utf8" }).filter((file) =>
        /\.tsx?$/.test(file),
      );
      expect(programs.filter((file) => !readme.includes(`(${file})`))).toEqual([]);
    });
  }
});

interface Command {
  /** The path of the sample below `docs/examples`. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly lines: readonly string[];
}

/** The commands that have output in the README. "…" stands for omitted lines. */
function commandsOf(readme: string): Command[] {
  const blocks = readme
    .replaceAll(/ \\\n +/g, " ")
    .matchAll(/^```sh\nnpx tsx docs\/examples\/(\S+) ?(.*)\n```\n(?:[^`]*\n)?```text\n([^]*?)\n```$/gm);
  return [...blocks].map(([, program = "", argv = "", text = ""]) => ({
    program,
    argv: [...argv.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
    lines: text.split("\n").filter((line) => line !== "…" && line !== ""),
  }));
}

/** Replaces port numbers, which differ. */
async function said({ stdout, stderr }: Program, line: string): Promise<unknown> {
  const escaped = line
    .replaceAll(/[^\w\s]/g, String.raw`\$&`)
    .replaceAll(/127\\\.0\\\.0\\\.1\\:\d+/g, String.raw`127\.0\.0\.1:\d+`);
  const pattern = new RegExp(`^${escaped}$`);
  return Promise.any([stdout.like(pattern), stderr.like(pattern)]).catch((cause: unknown) => {
    throw new Error(`It never says ${line}:\n${[...stdout.all, ...stderr.all].join("\n")}`, { cause });
  });
}
