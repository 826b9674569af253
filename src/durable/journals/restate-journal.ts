import type { Journal } from "../../agent/journal.js";
import type { JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { fieldOf, isInstance } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";
import { DurableError } from "../errors.js";
import { checkedJournal, maxStepSizeOf } from "./checked-journal.js";

/** The part of a handler's context that `restateJournal()` uses. */
export interface RestateContext {
  run(name: string, action: () => Promise<string>, options: { serde: RestateSerde }): RestateStep<string>;
  signal(name: string): RestateStep<unknown>;
}

/** How a step is written. */
export interface RestateSerde {
  contentType: string;
  serialize(text: string): Uint8Array;
  deserialize(bytes: Uint8Array): string;
}

/** A promise of Restate's SDK. */
export interface RestateStep<T> extends Promise<T> {
  orTimeout(milliseconds: number): RestateStep<T>;
  map<U>(mapper: (value?: T, failure?: Error) => U): RestateStep<U>;
}

/** The part of `RestatePromise` that `restateJournal()` uses. */
export interface RestateRace {
  race(promises: readonly RestateStep<unknown>[]): Promise<unknown>;
}

/** The options of `restateJournal()`. */
export interface RestateJournalOptions {
  /** The maximum length of the value of a step, in characters of JSON. Restate allows 32 MiB. Default: 10,000,000. */
  readonly maxStepSize?: number;
}

/** A step that has settled, and what its caller gets. */
interface SettledStep {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: Error | undefined;
}

/**
 * Creates a journal whose steps are steps of a [Restate](https://restate.dev) handler. Pass the handler's context and
 * `RestatePromise` of `@restatedev/restate-sdk`, which needs Node 22. This package never imports it. Nothing else in
 * the handler may use the context while the run lasts.
 *
 * - **A step that rejects is not recorded.** Restate calls the handler again when it throws any other error than a
 *   `TerminalError`, so make one of the error of a run that failed.
 * - **A cancelled invocation** ends its run with `stopped`.
 * - **A decision** for `humanApproval()` is a signal: `ctx.invocation(id).signal("tool 3 call_x pay decision")`.
 *
 * @throws {RangeError} if `maxStepSize` is not a whole number of at least 1
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```js
 * import * as restate from "@restatedev/restate-sdk";
 * import { durable, DurableError, restateJournal } from "millrace/durable";
 *
 * const answers = restate.service({
 *   name: "answers",
 *   handlers: {
 *     async answer(ctx, question) {
 *       const journal = restateJournal(ctx, restate.RestatePromise);
 *       const { id, attemptCompletedSignal: signal } = ctx.request();
 *       const { messages } = await durable(agent, { journal, id }).invoke(question, { signal });
 *       return messages.at(-1);
 *     },
 *   },
 * });
 * restate.serve({ services: [answers], port: 9080 });
 * ```
 */
export function restateJournal(
  context: RestateContext,
  promises: RestateRace,
  options: RestateJournalOptions = {},
): Journal {
  const maxStepSize = maxStepSizeOf("restateJournal", options);
  const wait = waitingBeside(promises);
  const steps = checkedJournal(
    (name, run) =>
      new Promise((resolve, reject) => {
        // Restate would repeat a failed step by itself. So a step that fails never ends for it.
        const action = (): Promise<string> =>
          run(1).catch((error: unknown) => {
            reject(error);
            return new Promise(noop);
          });
        wait(context.run(name, action, { serde })).then((text) => {
          resolve(text as string);
        }, reject);
      }),
    maxStepSize,
  );
  return {
    ...steps,
    ordered: true,
    receive: async (name) => ((await wait(context.signal(name))) ?? null) as JsonValue,
  };
}

/**
 * Waits for several promises of Restate at the same time. Restate allows one wait at a time, so this is a race of all
 * that are open. A step that is created during a race starts when the race has ended.
 */
function waitingBeside(promises: RestateRace): (step: RestateStep<unknown>) => Promise<unknown> {
  const open = new Map<number, OpenStep>();
  let count = 0;
  let racing = false;
  const race = async (): Promise<void> => {
    if (racing) return;
    racing = true;
    try {
      while (open.size > 0) {
        const first = await promises.race([...open.values()].map(({ settled }) => settled));
        const { id, value, failure } = first as SettledStep;
        const step = open.get(id);
        open.delete(id);
        if (failure === undefined) step?.resolve(value);
        else step?.reject(toDurableError(failure));
        await Promise.resolve(); // the caller may create its next step
      }
    } catch (error) {
      for (const { reject } of open.values()) reject(toDurableError(error));
      open.clear();
    } finally {
      racing = false;
    }
  };
  return (step) => {
    const id = ++count;
    const settled = step.map<SettledStep>((value, failure) => ({ id, value, failure }));
    return new Promise((resolve, reject) => {
      open.set(id, { settled, resolve, reject });
      // Steps that are created together take part in the first race.
      queueMicrotask(() => void race());
    });
  };
}

/** A step that somebody waits for. */
interface OpenStep {
  readonly settled: RestateStep<SettledStep>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function toDurableError(error: unknown): DurableError {
  if (isInstance(error, DurableError)) return error;
  return fieldOf(error, "code") === cancelled
    ? new DurableError("stopped", "The Restate invocation was cancelled.", { cause: error })
    : new DurableError("unavailable", `Restate cannot run a step: ${messageOf(error)}`, { cause: error });
}

const cancelled = 409;

const serde: RestateSerde = {
  contentType: "application/json",
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
};
