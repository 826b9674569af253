/** `npm run bench` alone: the ratios that decide, with their goals. The suites have the times and more cases. */
import { type Cell, type Figure, quotient } from "./figures.js";
import { atLeast, atMost, type Goal, met } from "./goals.js";
import { comparisons, ratioOf } from "./json/goals.js";
import { timeOf } from "./models/decoding.js";
import { speedup } from "./models/merging.js";
import { firstAnswer } from "./regimes/first-answer.js";
import { bytesPerStream } from "./regimes/open-streams.js";
import { afterCollection, fourShapes, manyStreams, type Program, shapes } from "./regimes/programs.js";
import { snapshotTime } from "./regimes/scaling.js";
import { served } from "./serve/load.js";
import type { Suite } from "./suite.js";

const programs: readonly (readonly [name: string, program: Program, goal: number])[] = [
  ["64 KB of orders after a collection", afterCollection("orders"), 2],
  ["four shapes in one process", fourShapes, 1.9],
  ["200 streams at once", manyStreams(shapes), 1.6],
];

export const summary: Suite = {
  name: "summary",
  milliseconds: 60,
  smoke: /^bytes of an open stream after 1,/,
  parts: [
    {
      text: "As a multiple of the time (at most) or of the speed (at least) of the other. `npm run bench SUITE` has more.",
      head: ["ours, beside", "result", "goal", "met", "suite"],
      rows: [
        ...comparisons.map((it) =>
          row(`${it.ours}, contacts, ${it.cut}: ${it.theirs}`, ratioOf(it), it.goal, "json"),
        ),
        ...programs.map(([name, program, goal]) =>
          row(
            `${name}: jsonriver`,
            quotient(program("jsonriver"), program("patches")),
            atLeast(goal),
            "regimes",
          ),
        ),
        ...["orders", "table"].map((it) => {
          const ratio = quotient(snapshotTime("jsonriver", it, 1024), snapshotTime("snapshots", it, 1024));
          return row(`a snapshot for each 64 characters of ${it}: jsonriver`, ratio, atLeast(0.3), "regimes");
        }),
        row("bytes of an open stream", bytesPerStream("patches", 1), atMost(2_253), "regimes"),
        row("ms to the first answer, `millrace`", firstAnswer("millrace"), atMost(45), "regimes"),
        row("ms to the first answer, `millrace/json`", firstAnswer("millrace/json"), atMost(16), "regimes"),
        ...(["openai SDK", "AI SDK"] as const).map((it) => {
          const ratio = quotient(timeOf(it, "64 B"), timeOf("millrace", "64 B"));
          return row(
            `message chunks, reads of 64 bytes: ${it}`,
            ratio,
            atLeast(it === "AI SDK" ? 4 : 2.5),
            "models",
          );
        }),
        row(
          "processor time of 1,000 served streams: bare `node:http`",
          served.ratio,
          served.ratioGoal,
          "serve",
        ),
        row("ms of delay, 99 of 100 patches of 1,000 served streams", served.p99, served.p99Goal, "serve"),
        row("merging 8,000 deltas of text: LangChain.js", speedup("text"), atLeast(100), "models"),
      ],
    },
  ],
};

function row(name: string, figure: Figure, goal: Goal, suite: string): readonly Cell[] {
  return [name, figure, `${goal.sign} ${goal.target}`, met(figure, goal), suite];
}
