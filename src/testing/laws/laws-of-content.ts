import { demand, type Law } from "./law.js";
import { sameValue, show } from "./same-value.js";
import { spySource } from "../spy-source.js";
import { sourceSpeeds, type Trials } from "./trials.js";

/** The output is complete, errors are passed on unchanged, the stream ends, and the operator can be used again. */
export function contentLaws<In, Out>(trials: Trials<In, Out>): Law[] {
  const { inputs, result } = trials;
  const laws: Law[] = [
    {
      name: "passes on the source's error as the same object, after all items before it",
      async check() {
        for (const speed of sourceSpeeds) {
          for (let position = 0; position <= inputs.length; position++) {
            const before = await trials.run(trials.source(speed, "hang", position)).read();
            // `undefined` can be thrown too.
            const error = position === 0 ? undefined : new Error(`at position ${position}`);
            const source = trials.source(speed, { error }, position);
            const { outputs, last } = await trials.run(source).read();
            const where = `with an error at position ${position} of a ${speed} source`;
            demand(
              sameValue(result(outputs), result(before.outputs)),
              "honest-errors",
              `${where}, expected ${show(before.outputs)} before it, but found ${show(outputs)}`,
            );
            if (before.last?.kind !== "silence") continue; // the stream ended by itself
            demand(
              last?.kind === "error" && Object.is(last.error, error),
              "honest-errors",
              `${where}, the stream ended with ${show(last)} instead of that error object`,
            );
            demand(
              source.returns === 0,
              "polite",
              `${where}, return() was called on a source that had failed`,
            );
          }
        }
      },
    },
    {
      name: "ends when the source does, and stays ended",
      async check() {
        for (const speed of sourceSpeeds) {
          for (let count = 0; count <= inputs.length; count++) {
            const source = trials.source(speed, "end", count);
            const run = trials.run(source);
            const { last } = await run.read();
            // An incomplete input may be an error, but never silence.
            const ended = last?.kind === "done" || (last?.kind === "error" && count < inputs.length);
            const where = `a ${speed} source of ${count} items has ended`;
            demand(ended, "ends", `${where}, but the stream answered with ${show(last)}`);
            const after = await run.next();
            demand(
              after.kind === "done",
              "ends",
              `${where}, but next() after the end answered with ${show(after)}`,
            );
            demand(source.open === 0, "closes-once", `${where}, but another of its iterators is still open`);
          }
        }
      },
    },
    {
      name: "can be used again: one operator keeps separate states for two sources",
      async check() {
        const expected = result((await trials.run(trials.source("ready")).read()).outputs);
        const operator = trials.create();
        const sources = [trials.source("ready"), trials.source("ready")] as const;
        const [one, two] = [trials.open(operator(sources[0])), trials.open(operator(sources[1]))];
        const [outputsOfOne, outputsOfTwo]: [Out[], Out[]] = [[], []];
        for (;;) {
          const [fromOne, fromTwo] = [await one.next(), await two.next()];
          if (fromOne.kind === "item") outputsOfOne.push(fromOne.item);
          if (fromTwo.kind === "item") outputsOfTwo.push(fromTwo.item);
          if (fromOne.kind !== "item" && fromTwo.kind !== "item") break;
        }
        const third = await trials.open(operator(trials.source("ready"))).read();
        for (const outputs of [outputsOfOne, outputsOfTwo, third.outputs]) {
          demand(
            sameValue(result(outputs), expected),
            "reusable",
            `alone the result is ${show(expected)}, with other iterations it is ${show(result(outputs))}`,
          );
        }
      },
    },
  ];
  const { cut } = trials;
  if (cut !== undefined) {
    laws.push({
      name: "is split-invariant: the result does not depend on how the input is cut",
      async check() {
        const expected = result((await trials.run(trials.source("ready")).read()).outputs);
        for (const pieces of cut(inputs)) {
          const { outputs, last } = await trials.run(spySource(pieces)).read();
          const found = result(outputs);
          demand(
            last?.kind === "done" && sameValue(found, expected),
            "split-invariant",
            `cut as ${show(pieces)} the result is ${show(found)} (${show(last)}) instead of ${show(expected)}`,
          );
        }
      },
    });
  }
  return laws;
}
