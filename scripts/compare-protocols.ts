/** `npm run compare:protocols` counts the elements of 1,000 mutated SpecStreams that millrace and json-render read. */
import { createSpecStreamCompiler } from "@json-render/core";
import { randomOf } from "../bench/random.js";
import { table } from "../bench/report.js";
import { from, type PatchLineError, pipe } from "../src/index.js";
import { fromSpecStream } from "../src/ui/index.js";
import { mutatedStream, type Outcome, outcomeOf } from "../test/parsers/patch-lines/support/mutated-lines.js";

const random = randomOf(7);
const ours = new Map<Outcome, number>();
const theirs = new Map<Outcome, number>();
let changed = 0;
for (let stream = 0; stream < 1_000; stream++) {
  const { text, elements } = mutatedStream(random);
  const errors: PatchLineError[] = [];
  let spec: unknown;
  const parser = fromSpecStream({ onLineError: (error) => errors.push(error), onTruncated: "keep" });
  for await (const next of pipe(from([text]), parser.snapshots)) spec = next;
  const compiler = createSpecStreamCompiler();
  compiler.push(text);
  for (const element of elements) {
    if (element.isChanged) changed++;
    count(ours, outcomeOf(element, spec, errors));
    count(theirs, outcomeOf(element, compiler.getResult()));
  }
}

function count(counts: Map<Outcome, number>, outcome: Outcome): void {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}

const outcomes: readonly Outcome[] = ["right", "wrong", "elsewhere", "reported", "silent"];
const row = (name: string, counts: Map<Outcome, number>): string[] => [
  name,
  ...outcomes.map((outcome) => (counts.get(outcome) ?? 0).toLocaleString("en")),
];
console.log(`10,000 elements, one a line, of which ${changed.toLocaleString("en")} have a mistake:\n`);
console.log(table(["", ...outcomes], [row("fromSpecStream()", ours), row("json-render", theirs)]));
