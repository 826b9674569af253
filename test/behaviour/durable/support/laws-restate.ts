/** `node laws-restate.js PLACE`: checks the laws of journals, and prints `law`, its name, and what is wrong. */
import { RestatePromise } from "@restatedev/restate-sdk";
import { type Journal, restateJournal } from "millrace/durable";
import { journalLaws } from "millrace/testing";
import { serveRestate } from "./restate-service.js";

type Work = (journal: Journal, signal: AbortSignal) => Promise<unknown>;

/** The attempts of a run that have not begun, and what waits for the next one. */
interface Attempts {
  readonly next: Work[];
  wake: () => void;
}
const runs = new Map<string, Attempts>();
let running = 0;

const maxStepSize = 1_000;
const service = await serveRestate(process.argv[2] ?? "", async (context, input) => {
  const run = runs.get(input)!;
  while (run.next.length === 0) {
    await new Promise<void>((resolve) => {
      run.wake = resolve;
    });
  }
  running++;
  const journal = restateJournal(context, RestatePromise, { maxStepSize });
  await run.next.shift()!(journal, context.request().attemptCompletedSignal).catch(() => undefined);
  running--;
  throw new Error("The next attempt, please.");
});

async function attempt<T>(name: string, work: (journal: Journal) => Promise<T>): Promise<T> {
  const known = runs.get(name);
  const run: Attempts = known ?? { next: [], wake: () => undefined };
  runs.set(name, run);
  const outcome = new Promise<T>((resolve, reject) => {
    run.next.push((journal, signal) => {
      const result = work(journal);
      result.then(resolve, reject);
      // Nothing that an attempt waits for settles when another one has begun.
      signal.addEventListener("abort", () => {
        reject(new Error("The attempt has ended."));
      });
      return result;
    });
  });
  if (known === undefined) service.call(name, name).catch(() => undefined);
  else if (running > 0) service.cut();
  run.wake();
  return outcome;
}

for (const law of journalLaws({ attempt, maxStepSize, ordered: true })) {
  const problem = await law.check().then(
    () => "",
    (error: unknown) => String(error),
  );
  console.log(`law ${JSON.stringify([law.name, problem])}`);
}
process.exit();
