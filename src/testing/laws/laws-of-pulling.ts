import { demand, type Law } from "./law.js";
import { sameValue, show } from "./same-value.js";
import { spySource } from "../spy-source.js";
import { type Trials, turn } from "./trials.js";

/** When the source is asked: lazy, and polite. */
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
      name: "is lazy: no more is pulled than what was asked for needs, and its read-ahead",
      async check() {
        const { inputs, readAhead } = trials;
        if (readAhead === Infinity) return;
        const rounds = Math.ceil((2 * readAhead + 2) / Math.max(1, inputs.length));
        const items = Array.from({ length: rounds }, () => inputs).flat();
        /** What it gives for the first 0, 1, 2 … items when no more arrive. */
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
          const needed = outputsFor.findIndex((given) => sameValue(given.slice(0, outputs.length), outputs));
          demand(
            needed < 0 || source.pulls <= needed + readAhead,
            "lazy",
            `${needed} items are needed for ${show(outputs)}, but ${source.pulls} were pulled; ` +
              `its read-ahead is ${readAhead}`,
          );
        }
      },
    },
    {
      name: "is polite: callers of next() stand in line, and the source is not asked twice at a time",
      async check() {
        const expected = await trials.run(trials.source("slow")).read();
        const source = trials.source("slow");
        const run = trials.run(source);
        const callers = Array.from({ length: expected.outputs.length + 3 }, () => run.iterator.next());
        const answers = await Promise.all(callers.map((caller) => run.answer(caller)));
        const most = Math.max(1, trials.readAhead);
        demand(
          source.mostInFlight <= most,
          "polite",
          `${source.mostInFlight} calls of next() were in flight at the same time, but it may have ${most}`,
        );
        const outputs = answers.flatMap((answer) => (answer.kind === "item" ? [answer.item] : []));
        demand(
          sameValue(trials.result(outputs), trials.result(expected.outputs)),
          "polite",
          `several next() at the same time give ${show(outputs)}, one after the other ${show(expected.outputs)}`,
        );
        demand(
          answers.every((answer) => answer.kind !== "silence"),
          "polite",
          "one of several next() at the same time was never answered",
        );
        demand(
          source.faults.length === 0,
          "polite",
          `with several next() at a time, ${source.faults.join("; ")}`,
        );
      },
    },
    {
      name: "is polite: no next() after the end, after an error, or after return()",
      async check() {
        for (const then of ["end", { error: new Error("of the source") }] as const) {
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
          demand(answer.kind === "done", "polite", `next() after return() gave ${show(answer)}`);
        }
      },
    },
  ];
}
