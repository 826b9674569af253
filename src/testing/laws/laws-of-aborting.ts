import { abortable } from "../../stream/operators/abortable.js";
import { demand, type Law } from "./law.js";
import { demandClosed } from "./laws-of-closing.js";
import { show } from "./same-value.js";
import type { SpySource } from "../spy-source.js";
import type { TrialAnswer, TrialRun, Trials } from "./trials.js";

/** With `abortable(signal)` before or after the operator, an abort ends the stream at once and closes the source. */
export function abortingLaws<In, Out>(trials: Trials<In, Out>): Law[] {
  return [...lawsOfOneSide(trials, "before"), ...lawsOfOneSide(trials, "after")];
}

function lawsOfOneSide<In, Out>(trials: Trials<In, Out>, side: "before" | "after"): Law[] {
  const reason = new Error("aborted");
  const start = (source: SpySource<In>, signal: AbortSignal): TrialRun<Out> =>
    side === "before"
      ? trials.run(abortable<In>(signal)(source))
      : trials.open(abortable<Out>(signal)(trials.create()(source)));
  const demandReason = (answer: TrialAnswer<Out> | undefined, when: string): void => {
    const found = answer?.kind === "error" && answer.error === reason;
    demand(found, "abortable", `${when}, the answer was ${show(answer)} instead of signal.reason`);
  };
  return [
    {
      name: `is abortable while the source hangs, with abortable(signal) ${side} it`,
      async check() {
        for (let position = 0; position <= trials.inputs.length; position++) {
          const source = trials.source("ready", "hang", position);
          const controller = new AbortController();
          const run = start(source, controller.signal);
          let pending: Promise<IteratorResult<Out>>;
          let answer: TrialAnswer<Out>;
          do {
            pending = run.iterator.next();
            answer = await run.answer(pending);
          } while (answer.kind === "item");
          if (answer.kind !== "silence") continue; // the stream ended by itself

          controller.abort(reason);
          const when = `after an abort while the source hangs at position ${position}`;
          demandReason(await run.answer(pending), when);
          if (trials.generator && side === "after") continue;
          demandClosed(source, when);
        }
      },
    },
    {
      name: `is abortable while the consumer is busy, with abortable(signal) ${side} it`,
      async check() {
        for (let position = 0; position <= trials.inputs.length; position++) {
          const alone = await trials.run(trials.source("ready", "hang")).read(position + 1);
          if (alone.last?.kind === "done") break; // the stream ends here by itself
          const source = trials.source("ready", "hang");
          const controller = new AbortController();
          const run = start(source, controller.signal);
          const { last } = await run.read(position);
          if (last !== undefined) break; // there are no more outputs

          controller.abort(reason);
          const when = `after an abort while the consumer is busy at position ${position}`;
          demandReason((await run.read()).last, when);
          await trials.rest();
          demandClosed(source, when);
          demand(position > 0 || source.pulls === 0, "abortable", `${when}, the source was still pulled`);
        }
      },
    },
  ];
}
