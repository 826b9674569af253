/**
 * `npm run compare:protocols` measures how early the published client of each protocol shows a component, and how many
 * bytes it gets, and counts the elements of 1,000 mutated SpecStreams that millrace and json-render read.
 */
import { createSpecStreamCompiler } from "@json-render/core";
import { randomOf } from "../test/support/random.js";
import { table } from "../scripts/markdown-table.js";
import { from, type PatchLineError, pipe } from "../src/index.js";
import type { AnyPatchOperation } from "../src/json/index.js";
import { joinPatches } from "../src/serve/index.js";
import { fromSpecStream } from "../src/ui/index.js";
import { mutatedStream, type Outcome, outcomeOf } from "../test/parsers/patch-lines/support/mutated-lines.js";
import { type Between, type Protocol, protocolsFor, type Route } from "./protocol-clients.js";

/** Joins this many patches, as `throttle(50, { merge: joinPatches })` does at 500 pieces a second. */
const joined: Between = async function* (patches) {
  let held: readonly AnyPatchOperation[] = [];
  let count = 0;
  for await (const patch of patches) {
    held = held.length === 0 ? patch : joinPatches(held, patch);
    if (++count % 25 !== 0) continue;
    yield held;
    held = [];
  }
  if (held.length > 0) yield held;
};

/** For each component, the number of its characters when it was first shown; and the bytes that were sent. */
async function measure({ name, text, starts }: Protocol, { send, open }: Route): Promise<[number[], number]> {
  let at = 0;
  async function* model(): AsyncGenerator<string> {
    for (; at < text.length;) {
      const start = at;
      at += 4;
      yield text.slice(start, at);
    }
  }
  const show = open();
  const first = new Map<number, number>();
  let bytes = 0;
  for await (const part of send(model())) {
    bytes += Buffer.byteLength(part);
    for (const i of await show(part)) if (!first.has(i)) first.set(i, at - (starts[i] as number));
  }
  if (first.size !== starts.length)
    throw new Error(`${name} shows ${first.size} of ${starts.length} components.`);
  return [[...first.values()].sort((a, b) => a - b), bytes];
}

const rows: string[][] = [];
const plain = protocolsFor(randomOf(7), (patches) => patches);
const merged = protocolsFor(randomOf(7), joined);
for (const [i, protocol] of plain.entries()) {
  const [own, ownBytes] = await measure(protocol, protocol.own);
  const [ours, bytes] = await measure(protocol, protocol.ours);
  const [, joinedBytes] = await measure(merged[i] as Protocol, (merged[i] as Protocol).ours);
  const middle = (all: readonly number[]): string => `${all[all.length >> 1] ?? ""}, ${all.at(-1) ?? ""}`;
  const counts = [protocol.text.length, ownBytes, bytes, joinedBytes].map((it) => it.toLocaleString("en"));
  rows.push([protocol.name, middle(ours), middle(own), ...counts]);
}
console.log("Characters of a component when it is first shown (median, most), and bytes to the client:\n");
console.log(table(["", "millrace", "own", "text", "bytes, own", "bytes, each piece", "bytes, joined"], rows));
console.log();

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
