/** JSON in programs as they are: after collections, many streams at once, cold, wide. */
import { copied } from "../../test/support/pieces.js";
import { firstAnswer } from "../cold.js";
import { type Figure, flatness, highest, quotient } from "../harness/figures.js";
import { type Bound, compared, goal, type Goal, type Suite } from "../harness/suite.js";
import { documentNames } from "../json/documents.js";
import { readers } from "../json/readers.js";
import { costOf, timeOf } from "../json/suite.js";
import { list } from "../../test/support/random.js";
import { readingCost } from "../reading.js";
import { installed, missing, speedupIn } from "./elsewhere.js";
import * as programs from "./programs.js";

const { afterCollection, sizeOfStream, fourShapes, longLived, manyStreams, steady, threads } = programs;

function speedup(name: string, timeOf: programs.Program, bound: Bound, main = false): Goal {
  return compared(`${name}: as fast as jsonriver`, timeOf("patches"), timeOf("jsonriver"), bound, main);
}

const reading: readonly Goal[] = [
  speedup("64 KB of orders, again and again", steady("orders"), "≥ 2"),
  speedup("64 KB of table, again and again", steady("table"), "≥ 2"),
  speedup("64 KB of orders, a full collection before each", afterCollection("orders"), "≥ 2", true),
  speedup("64 KB of table, a full collection before each", afterCollection("table"), "≥ 2"),
  speedup("64 KB of orders, a thousand values kept", longLived, "≥ 2"),
  speedup("four shapes in one process, 256 KB each", fourShapes, "≥ 1.9", true),
  speedup("200 streams of 8 KB at once, four shapes", manyStreams(programs.shapes), "≥ 1.6", true),
  speedup("200 streams of 8 KB at once, orders", manyStreams(["orders"]), "≥ 1.6"),
  speedup("200 streams of 8 KB at once, table", manyStreams(["table"]), "≥ 1.6"),
  speedup("two `worker_threads`, 16 documents of 64 KB each", threads, "≥ 1.9"),
  goal(
    "64 KB of orders: after a collection, as a multiple of the steady time",
    quotient(afterCollection("orders")("patches"), steady("orders")("patches")),
    "≤ 2.3",
  ),
  ...installed.map((it) => goal(`64 KB of orders, again and again, in ${it}`, speedupIn(it), "≥ 2")),
];

const snapshots: readonly Goal[] = [
  ...["orders", "table"].map((document) => {
    const time: programs.Program = (it) => timeOf(it === "patches" ? "snapshots" : it, "64", document);
    return speedup(`a snapshot for each 64 characters, 1 MB of ${document}`, time, "≥ 0.3", true);
  }),
  goal(
    "highest cost of a key divided by the lowest, a snapshot for each key, 2,500 to 20,000 keys",
    flatness([2_500, 5_000, 10_000, 20_000].map(keyCost)),
    "≤ 2",
  ),
  goal(
    "highest cost of a character divided by the lowest, 64 KB to 2 MB, worst document",
    highest(
      documentNames.map((it) => flatness([64, 2048].map((size) => costOf("snapshots", "64", it, size)))),
    ),
    "≤ 2",
  ),
];

/** Microseconds per key of an object with so many keys, one in each chunk. */
function keyCost(keys: number): Figure {
  const member = (i: number): string => copied(`${i === 0 ? "{" : ","}"key_${1_000_000 + i}":${i}`);
  const chunksOf = (): string[] => [...list(keys, member), "}"];
  return readingCost(`snapshots, ${keys} keys`, readers.snapshots, chunksOf, keys * 1_000);
}

const memoryAndStart: readonly Goal[] = [
  limited("KB of an open stream of orders after its first value", (it) => sizeOfStream(it, 1), "≤ 2.2", true),
  limited("KB of an open stream of orders after 20 values", (it) => sizeOfStream(it, 20), "≤ 2.2"),
  limited("ms to the first answer with `millrace`", firstAnswerOf("millrace"), "≤ 45", true),
  limited("ms to the first answer with `millrace/json`", firstAnswerOf("millrace/json"), "≤ 16", true),
];

function firstAnswerOf(entry: "millrace" | "millrace/json"): programs.Program {
  return (reader) => firstAnswer(reader === "patches" ? entry : reader);
}

function limited(name: string, figureOf: programs.Program, bound: Bound, main = false): Goal {
  const times = [figureOf("patches"), figureOf("jsonriver")] as const;
  return { name, result: times[0], bound, times, main };
}

export const regimes: Suite = {
  name: "regimes",
  milliseconds: 125,
  smoke: /^64 KB of orders(, (patches|jsonriver)| in Bun)$|^KB of an open stream after 1,/,
  intro: `Milliseconds of \`jsonParser().patches\` (or \`.stream\` for snapshots) and jsonriver, which changes one value in
place. Chunks of 1 to 8 characters where the row does not say otherwise. Linear time means that no character or key costs
much more than another. The memory of an open stream includes its value so far, not its source. The first answer has
4 KB, and its time begins with the first line of a new process, before the import.${
    missing.length === 0 ? "" : ` Not installed here: ${missing.join(", ")}.`
  }`,
  goals: [...reading, ...snapshots, ...memoryAndStart],
};
