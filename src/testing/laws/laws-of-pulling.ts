import { demand, type Law } from "./law.js";
import { sameValue, show } from "./same-value.js";
import { spySource } from "../spy-source.js";
import { type Trials, turn } from "./trials.js";

/** The operator pulls lazily and politely. */
export function pullingLaws<In, Out>(trials: Trials<In, Out>): Law[] {
  return [
    {
      name: "is lazy: nothing is pulled before the first next()",
      async check() {
        const source = trials.source("ready");
        trials.run(source);
        await trials.rest();
        demand(source.pulls === 0, "lazy", `${source.pulls} items were pulled before the first next()`);
      },
    },
    {
      name: "is lazy: pulls only the items that its outputs need, plus its read-ahead",
      async check() {
        const { inputs, readAhead } = trials;
        if (readAhead === Infinity) return;
        const rounds = Math.ceil((2 * readAhead + 2) / Math.max(1, inputs.length));
        const items = Array.from({ length: rounds }, () => inputs).flat();
        /** The outputs for the first 0, 1, 2 … items when no more arrive. */
        const outputsFor: Out[][] = [];
        for (let count = 0; count <= items.length; count++) {
          const source = spySource(items.slice(0, count), { then: "hang" });
          outputsFor.push((await trials.run(source).read()).outputs);
        }

        const source = spySource(items);
        const run = trials.run(source);
        const outputs: Out[] = [];
        for (let answer = await run.next(); answer.kind === "item"; answer = await run.next()) {
          outputs.push(answer.item);
          await trials.rest();
          const needed = outputsFor.findIndex((found) => sameValue(found.slice(0, outputs.length), outputs));
          demand(
            needed < 0 || source.pulls <= needed + readAhead,
            "lazy",
            `${show(outputs)} needs ${needed} items, but ${source.pulls} were pulled with a read-ahead of ${readAhead}`,
          );
        }
      },
    },
    {
      name: "is polite: queues calls of next(), and never has two pulls of the source in flight",
      async check() {
        const expected = await trials.run(trials.source("slow")).read();
        const source = trials.source("slow");
        const run = trials.run(source);
        const callers = Array.from({ length: expected.outputs.length + 3 }, () => run.iterator.next());
        const answers = await Promise.all(callers.map((caller) => run.answer(caller)));
        const allowed = Math.max(1, trials.readAhead);
        demand(
          source.maxInFlight <= allowed,
          "polite",
          `${source.maxInFlight} calls of next() were in flight at the same time, but only ${allowed} are allowed`,
        );
        const outputs = answers.flatMap((answer) => (answer.kind === "item" ? [answer.item] : []));
        demand(
          sameValue(trials.result(outputs), trials.result(expected.outputs)),
          "polite",
          `calls of next() at the same time give ${show(outputs)}, one after the other ${show(expected.outputs)}`,
        );
        demand(
          answers.every((answer) => answer.kind !== "silence"),
          "polite",
          "one of several calls of next() at the same time was never answered",
        );
        demand(
          source.faults.length === 0,
          "polite",
          `with several calls of next() at the same time, ${source.faults.join("; ")}`,
        );
      },
    },
    {
      name: "is polite: no next() after the end, after an error, or after return()",
      async check() {
        for (const then of ["end", { error: new Error("from the source") }] as const) {
          const source = trials.source("ready", then);
          const run = trials.run(source);
          await run.read();
          await run.next();
          await run.return();
          await run.next();
          const when = then === "end" ? "the end" : "an error";
          demand(source.faults.length === 0, "polite", `after ${when}, ${source.faults.join("; ")}`);
        }
        for (let taken = 0; taken <= trials.inputs.length; taken++) {
          const source = trials.source("ready");
          const run = trials.run(source);
          await run.read(taken);
          await run.return();
          const answer = await run.next();
          await turn();
          const { faults } = source;
          demand(
            faults.length === 0,
            "polite",
            `with a return() after ${taken} outputs, ${faults.join("; ")}`,
          );
          demand(answer.kind === "done", "polite", `next() after return() answered with ${show(answer)}`);
        }
      },
    },
  ];
}
