import { checkArgument } from "../../text/check-options.js";
import { AsyncResource } from "node:async_hooks";
import type { Journal } from "../../agent/journal.js";
import type { JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { fieldOf, isInstance, hasMethod } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";
import { checkedJournal, maxStepSizeOf } from "./checked-journal.js";
import { DurableError } from "../errors.js";

/**
 * The part of the class `DBOS` that `dbosJournal()` uses. Pass the class itself: `import { DBOS } from
 * "@dbos-inc/dbos-sdk"`. This package declares the types and never imports the module.
 */
export interface DbosSteps {
  runStep<T>(run: () => Promise<T>, config: { readonly name: string }): Promise<T>;
  recv<T>(topic: string, options: { readonly timeoutSeconds: number }): Promise<T | null>;
  readonly stepStatus: { readonly cancelSignal: AbortSignal } | undefined;
  readonly workflowID: string | undefined;
  getWorkflowStatus(id: string): Promise<{ readonly status: string } | null>;
}

/** The options of `dbosJournal()`. */
export interface DbosJournalOptions {
  /** The maximum length of the value of a step, in characters of JSON. Default: 10,000,000. */
  readonly maxStepSize?: number;
}

/**
 * Creates a journal whose steps are steps of a [DBOS](https://www.dbos.dev) workflow, in PostgreSQL. Call it in the
 * workflow, once per execution, and let nothing else in the workflow run steps at the same time.
 *
 * - **A step that rejects is not recorded**, so it runs again if the workflow is recovered.
 * - **A cancelled workflow** (`DBOS.cancelWorkflow()`) ends its run with `stopped`. An execution that lost its
 *   workflow to another one gets `lost`.
 * - **A decision** for `humanApproval()` is the message of a topic: `DBOS.send(id, { type: "approve" }, "tool 3 call_x
 *   pay decision")`.
 *
 * DBOS recovers the workflows of a dead worker only when a worker with its executor id starts. `dbosWorker()` lets the
 * others take them over.
 *
 * @throws {RangeError} if `maxStepSize` is not a whole number of at least 1
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts no-run
 * import { DBOS } from "@dbos-inc/dbos-sdk";
 * import { createAgent } from "millrace";
 * import { dbosJournal, durable } from "millrace/durable";
 *
 * const agent = createAgent({ model: "openai:gpt-6.1-terra" });
 * const answer = DBOS.registerWorkflow(
 *   async (question: string) => {
 *     const run = durable(agent, { journal: dbosJournal(DBOS), id: DBOS.workflowID! });
 *     return (await run.invoke(question)).messages.at(-1);
 *   },
 *   { name: "answer" },
 * );
 * ```
 */
export function dbosJournal(dbos: DbosSteps, options: DbosJournalOptions = {}): Journal {
  const maxStepSize = maxStepSizeOf("dbosJournal", options);
  checkArgument("dbosJournal()", "DBOS", hasMethod(dbos, "runStep"), dbos);
  // A step that is created inside another one would not be recorded. So all are created from here.
  const workflow = new AsyncResource("dbosJournal");
  const { workflowID: id } = dbos;
  const failureOf = async (error: unknown): Promise<DurableError> => {
    const failure = toDurableError(error);
    if (failure.code !== "lost" || id === undefined) return failure;
    // DBOS takes a cancelled workflow from its execution too.
    const found = await outside.runInAsyncScope(async () => dbos.getWorkflowStatus(id)).catch(noop);
    return found?.status === "CANCELLED" ? toDurableError({ dbosErrorCode: cancelled }) : failure;
  };
  const steps = checkedJournal(
    (name, run) =>
      new Promise((resolve, reject) => {
        const execute = (): Promise<string> => {
          const signal = dbos.stepStatus?.cancelSignal;
          const onCancel = (): void => {
            reject(toDurableError({ dbosErrorCode: cancelled }));
          };
          signal?.addEventListener("abort", onCancel);
          // DBOS would record a failure. So a step that fails never ends for it.
          const never = (error: unknown): Promise<never> => {
            reject(error);
            return new Promise(noop);
          };
          return run(1)
            .finally(() => signal?.removeEventListener("abort", onCancel))
            .catch(never);
        };
        workflow
          .runInAsyncScope(() => dbos.runStep(execute, { name }))
          .then(resolve, async (error: unknown) => {
            reject(await failureOf(error));
          });
      }),
    maxStepSize,
  );
  return {
    ...steps,
    ordered: true,
    async receive(name) {
      for (;;) {
        const options = { timeoutSeconds: aYear };
        const message = await workflow
          .runInAsyncScope(() => dbos.recv<JsonValue>(name, options))
          .catch(async (error: unknown) => {
            throw await failureOf(error);
          });
        if (message !== null) return message;
      }
    },
  };
}

/** Not in a workflow, where the call would become a step. */
const outside: AsyncResource = new AsyncResource("dbosJournal");

const aYear = 31_536_000;

function toDurableError(error: unknown): DurableError {
  if (isInstance(error, DurableError)) return error;
  const code = codes.get(fieldOf(error, "dbosErrorCode"));
  const message = code === undefined ? `DBOS cannot run a step: ${messageOf(error)}` : messages[code];
  return new DurableError(code ?? "unavailable", message, { cause: error });
}

const cancelled = 24;
/** The fields `dbosErrorCode` of DBOS's errors. */
const codes: ReadonlyMap<unknown, "lost" | "stopped" | "changed"> = new Map([
  [5, "lost"],
  [cancelled, "stopped"],
  [26, "changed"],
  [37, "changed"],
]);

const messages: Readonly<Record<"lost" | "stopped" | "changed", string>> = {
  lost: "Another execution owns the DBOS workflow.",
  stopped: "The DBOS workflow was cancelled.",
  changed: "The DBOS workflow has recorded another step here. Continue it with the program that began it.",
};
