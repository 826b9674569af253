/** JSON in programs as they are: after collections, many streams at once, cold, wide. */
import { type Cell, type Figure, flatness, highest, quotient } from "../figures.js";
import { atLeast, atMost, type Goal, met } from "../goals.js";
import { documentNames } from "../json/documents.js";
import type { Part, Suite } from "../suite.js";
import { elsewhere, missingPlaces, speedupIn } from "./elsewhere.js";
import { firstAnswer } from "./first-answer.js";
import { bytesPerStream } from "./open-streams.js";
import {
  afterCollection,
  fourShapes,
  longLived,
  manyStreams,
  type Program,
  shapes,
  steady,
  threads,
} from "./programs.js";
import { keyCost, keysTime, snapshotCost, snapshotTime } from "./scaling.js";

const head = ["", "ours", "jsonriver", "ratio", "goal", "met"];

/** The shapes that are also measured alone: the usual one, and the weakest one. */
const alone = ["orders", "table"] as const;

const speedups: readonly (readonly [name: string, program: Program, goal: number])[] = [
  ...alone.map((it) => [`64 KB of ${it}, again and again`, steady(it), 2] as const),
  ...alone.map((it) => [`64 KB of ${it}, a full collection before each`, afterCollection(it), 2] as const),
  ["64 KB of orders, a thousand values kept", longLived, 2],
  ["four shapes in one process, 256 KB each", fourShapes, 1.9],
  ["200 streams of 8 KB at once, four shapes", manyStreams(shapes), 1.6],
  ...alone.map((it) => [`200 streams of 8 KB at once, ${it}`, manyStreams([it]), 1.6] as const),
  ["two `worker_threads`, 16 documents of 64 KB each", threads, 1.9],
];

const speed: Part = {
  text: `## Speed

\`jsonParser().patches\` beside jsonriver in chunks of 1 to 8 characters. Milliseconds, and how many times as fast as
jsonriver.${missingPlaces.length === 0 ? "" : ` Not installed here: ${missingPlaces.join(", ")}.`}`,
  head,
  rows: [
    ...speedups.map(([name, program, goal]) => speedup(name, program("patches"), program("jsonriver"), goal)),
    goalRow(
      "64 KB of orders: after a collection, as a multiple of the steady time",
      quotient(afterCollection("orders")("patches"), steady("orders")("patches")),
      atMost(2.3),
    ),
    ...elsewhere.map((it) =>
      goalRow(`64 KB of orders, again and again, in ${it}`, speedupIn(it), atLeast(2)),
    ),
  ],
};

const counts = [2_500, 5_000, 10_000, 20_000];
const sizes = [64, 2048];

const snapshots: Part = {
  text: `## Snapshots

\`jsonParser().stream\` beside jsonriver, which changes one value in place. Documents of 1 MB in chunks of 64
characters, then one object with a key in each chunk. Milliseconds, and how many times as fast as jsonriver. Linear time
means that no character or key costs much more than another.`,
  head,
  rows: [
    ...["orders", "table"].map((it) =>
      speedup(`${it}, 1 MB`, snapshotTime("snapshots", it, 1024), snapshotTime("jsonriver", it, 1024), 0.3),
    ),
    ...counts.map((it) => {
      const [ours, theirs] = [keysTime("snapshots", it), keysTime("jsonriver", it)];
      return [`${it.toLocaleString("en")} keys`, ours, theirs, quotient(theirs, ours), "", ""];
    }),
    goalRow(
      "highest cost of a key divided by the lowest",
      flatness(counts.map((it) => keyCost("snapshots", it))),
      atMost(2),
    ),
    goalRow(
      "highest cost of a character divided by the lowest, 64 KB to 2 MB, worst document",
      highest(documentNames.map((it) => flatness(sizes.map((size) => snapshotCost("snapshots", it, size))))),
      atMost(2),
    ),
  ],
};

const memory: Part = {
  text: `## Memory and start

The memory of an open stream includes its value so far. The first answer has 4 KB, and its time begins with the first
line of a new process, before the import.`,
  head: ["", "ours", "jsonriver", "goal", "met"],
  rows: [
    ...[1, 20].map((values) => [
      `an open stream of orders after ${values === 1 ? "its first value" : `${values} values`}`,
      ...limited(bytesPerStream("patches", values), bytesPerStream("jsonriver", values), 2_253, "2.2 KB"),
    ]),
    ...(["millrace", "millrace/json"] as const).map((it) => {
      const goal = it === "millrace" ? 45 : 16;
      return [
        `the first answer with \`${it}\`, in ms`,
        ...limited(firstAnswer(it), firstAnswer("jsonriver"), goal, `${goal}`),
      ];
    }),
  ],
};

function speedup(name: string, ours: Figure, theirs: Figure, goal: number): readonly Cell[] {
  const ratio = quotient(theirs, ours);
  return [name, ours, theirs, ratio, `≥ ${goal}`, met(ratio, atLeast(goal))];
}

function goalRow(name: string, ratio: Figure, goal: Goal): readonly Cell[] {
  return [name, "", "", ratio, `${goal.sign} ${goal.target}`, met(ratio, goal)];
}

function limited(ours: Figure, theirs: Figure, most: number, shown: string): readonly Cell[] {
  return [ours, theirs, `≤ ${shown}`, met(ours, atMost(most))];
}

export const regimes: Suite = {
  name: "regimes",
  milliseconds: 125,
  smoke: /^64 KB of orders(, (patches|jsonriver)| in Bun)$|^bytes of an open stream after 1,/,
  parts: [speed, snapshots, memory],
};
