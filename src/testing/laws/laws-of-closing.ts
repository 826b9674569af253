import { demand, type Law } from "./law.js";
import { show } from "./same-value.js";
import type { SpySource } from "../spy-source.js";
import { sourceSpeeds, type Trials } from "./trials.js";

/** When the consumer ends the stream early, the source is closed once. */
export function closingLaws<In, Out>(trials: Trials<In, Out>): Law[] {
  const positions = Array.from({ length: trials.inputs.length + 1 }, (_, position) => position);
  return [
    {
      name: "closes the source once when the consumer leaves, before the first item and after each",
      async check() {
        for (const speed of sourceSpeeds) {
          for (const position of positions) {
            const source = trials.source(speed);
            const run = trials.run(source);
            await run.read(position);
            const answer = await run.return();
            const when = `after a return() at position ${position} of a ${speed} source`;
            demand(answer.kind === "done", "closes-once", `${when} the answer was ${show(answer)}`);
            await run.return();
            await trials.rest();
            demandClosed(source, when);
          }
        }
      },
    },
    {
      name: "closes the source once when the consumer throws into it, and rejects with that error",
      async check() {
        for (const position of positions) {
          const source = trials.source("ready");
          const run = trials.run(source);
          if (run.iterator.throw === undefined) return; // throw() is optional for iterators
          await run.read(position);
          const error = new Error("from the consumer");
          const answer = await run.answer(run.iterator.throw(error));
          await trials.rest();
          const when = `after a throw() at position ${position}`;
          demand(
            answer.kind === "error" && answer.error === error,
            "closes-once",
            `${when} the answer was ${show(answer)} instead of the error`,
          );
          demandClosed(source, when);
        }
      },
    },
    {
      name: "closes the source once when the consumer leaves while the source hangs",
      async check() {
        if (trials.generator) return;
        for (const position of positions) {
          const source = trials.source("ready", "hang", position);
          const run = trials.run(source);
          const { last } = await run.read();
          if (last?.kind !== "silence") continue; // the stream ended by itself
          await run.return(); // which may wait for the source
          demandClosed(source, `after a return() while the source hangs at position ${position}`);
        }
      },
    },
  ];
}

/** Demands a source that has ended, failed, was closed by one `return()`, or was never opened. */
export function demandClosed(source: SpySource<unknown>, when: string): void {
  demand(source.open === 0, "closes-once", `${when} the source is still open`);
  demand(source.returns <= 1, "closes-once", `${when} the source was closed ${source.returns} times`);
  demand(source.faults.length === 0, "polite", `${when}, ${source.faults.join("; ")}`);
}
