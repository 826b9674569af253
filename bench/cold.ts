/** Start-up: what a fresh Node process pays to import an entry or a peer, to run the command, and to parse once. */
import { execFileSync } from "node:child_process";
import { counted, type Figure, ratio } from "./harness/figures.js";
import { medianOf } from "./harness/measure.js";
import { goal, type Suite } from "./harness/suite.js";
import { cuts, inputs } from "./inputs.js";
import { list } from "../test/support/random.js";

const commandTime = medianOfStarts("millrace json", () => (1 / startOf()) * startOf(["dist/cli.js", "json"]));

export const cold: Suite = {
  name: "cold",
  smoke: /^millrace\/json$/,
  intro: `Milliseconds from the start of a fresh process to its end, minus those of an empty process started just before
it. Each figure is the median of 15 such pairs. The command reads a document of 15 bytes.`,
  goals: [
    goal(
      "an empty process",
      medianOfStarts("an empty process", () => startOf()),
    ),
    goal("import of `millrace`", importTime("millrace"), "≤ 45"),
    goal("import of `millrace/json`", importTime("millrace/json"), "≤ 10"),
    goal("import of `millrace/client`", importTime("millrace/client"), "≤ 10"),
    ...["jsonriver", "openai", "zod"].map((name) => goal(`import of \`${name}\``, importTime(name))),
    goal("`millrace json`, as a multiple of an empty process", { ...commandTime, format: ratio }, "≤ 1.6"),
  ],
};

function importTime(name: string): Figure {
  // On a busy machine the empty process may take longer.
  return medianOfStarts(name, () =>
    Math.max(0.1, -startOf() + startOf(evaluated(`import ${JSON.stringify(name)}`))),
  );
}

function medianOfStarts(id: string, measure: () => number): Figure {
  return counted(id, async () => medianOf(list(15, measure)));
}

/** Milliseconds of a process, by default of an empty one. */
function startOf(args: readonly string[] = evaluated("")): number {
  const begin = performance.now();
  outputOf(args);
  return performance.now() - begin;
}

function evaluated(program: string): readonly string[] {
  return ["--input-type=module", "--eval", program];
}

/** Throws if the process fails. */
function outputOf(args: readonly string[], env = process.env): string {
  return execFileSync(process.execPath, args, { env, input: '{"tea": "green"}', encoding: "utf8" });
}

/** Each reads `chunks`. */
const programs = {
  millrace: `
    const { from, jsonParser, pipe } = await import("millrace");
    for await (const patch of pipe(from(chunks), jsonParser().patches)) last = patch;`,
  "millrace/json": `
    const { fast, JsonParser } = await import("millrace/json");
    const parser = new JsonParser({ fast });
    for (const chunk of chunks) {
      parser.write(chunk);
      last = parser.takePatch();
    }
    parser.end();`,
  jsonriver: `
    const { parse } = await import("jsonriver");
    const source = (async function* () { yield* chunks; })();
    for await (const value of parse(source)) last = value;`,
};

/** Milliseconds from the first line of a new process to the value of an answer of 4 KB. */
export function firstAnswer(of: keyof typeof programs): Figure {
  const program = `
    const chunks = JSON.parse(process.env.CHUNKS);
    let last;
    const start = performance.now();
    ${programs[of]}
    console.log(performance.now() - start);`;
  return medianOfStarts(`first answer, ${of}`, () => {
    const CHUNKS = JSON.stringify(cuts["1-8"](inputs.contacts(4 * 1024)));
    return Number(outputOf(evaluated(program), { ...process.env, CHUNKS }));
  });
}
