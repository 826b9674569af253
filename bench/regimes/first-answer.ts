/** From the first line of a new process to the value of an answer of 4 KB: import, compilation, and cold code. */
import { spawnSync } from "node:child_process";
import { cuts } from "../chunks.js";
import { counted, type Figure, medianOf } from "../figures.js";
import { documentOf } from "../json/documents.js";
import { list } from "../random.js";

const starts = 11;

const programs = {
  millrace: `
    const { from, jsonParser, pipe } = await import("millrace");
    for await (const patch of pipe(from(chunks), jsonParser().patches)) last = patch;`,
  "millrace/json": `
    const { JsonParser } = await import("millrace/json");
    const parser = new JsonParser();
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

export type FirstAnswer = keyof typeof programs;

/** Milliseconds, the median of several processes. */
export function firstAnswer(of: FirstAnswer): Figure {
  const program = `
    const chunks = JSON.parse(process.env.CHUNKS);
    let last;
    const start = performance.now();
    ${programs[of]}
    console.log(performance.now() - start);`;
  return counted(`first answer, ${of}`, async () => {
    const CHUNKS = JSON.stringify(cuts["1-8"](await documentOf("contacts", 4)));
    return medianOf(
      list(starts, () => {
        const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
          encoding: "utf8",
          env: { ...process.env, CHUNKS },
        });
        return Number(stdout);
      }),
    );
  });
}
