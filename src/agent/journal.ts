import type { JsonValue } from "../json/value.js";

/**
 * Records the steps of one run, so that a run that is started again after a crash does not repeat them. `fileJournal()`
 * of `millrace/durable` keeps them in a file; an engine such as DBOS or Restate takes a few lines.
 *
 * - **A recorded step never runs again.** The next attempt gets the recorded value instead.
 * - **Each step runs at least once.** One that ran when the process died, or whose value was not recorded yet, runs
 *   again.
 * - **Names are unique in an attempt**, and the same in each attempt.
 * - **A step that rejects is not recorded**: it runs again in the next attempt. To record a failure, return it as a
 *   value.
 *
 * `journalLaws()` of `millrace/testing` checks these rules.
 */
export interface Journal {
  /**
   * Returns the recorded value of a step, or runs it and records what it returns. The value is written as JSON, and the
   * caller gets what can be read back. Steps of one run may run at the same time, but never inside each other.
   *
   * @param run gets the number of the attempt at this step, from 1, as far as the journal knows it
   * @param instead makes the value to record if the journal refuses that of `run` for good: it is too large, or is not JSON.
   *   Without it, or if the journal refuses this value too, the step rejects
   */
  step<T extends JsonValue>(
    name: string,
    run: (attempt: number) => Promise<T>,
    instead?: (error: unknown) => T,
  ): Promise<T>;

  /**
   * Returns the recorded value of a step, or `undefined`. It runs nothing, and the step can still be created. With it,
   * a run that `log.stop()` has stopped stays stopped when the log has forgotten it.
   */
  recorded?(name: string): Promise<JsonValue | undefined>;

  /**
   * Waits for a message to this run, which the engine keeps: the decision of a person. Without it, a run that waits for
   * a decision pauses.
   *
   * @param name the name of the message. It is recorded like a step, and its name is unique in the same way
   */
  receive?(name: string): Promise<JsonValue>;

  /**
   * Whether the engine finds steps by their position. Then `durable()` creates the steps of tools that run at the same
   * time in the same order in each attempt, so a tool that is tried again waits for the others. Default: false.
   */
  readonly ordered?: boolean;
}

/**
 * The value of a step, not null, that may have none yet: then the step rejects, so that the journal records nothing, and another
 * attempt asks again. A journal that receives messages records that there is none, so `receive()` follows in each attempt.
 */
export async function valueOrWait(
  journal: Journal | undefined,
  name: string,
  ask: () => Promise<JsonValue | undefined>,
): Promise<JsonValue | undefined> {
  if (journal === undefined) return ask();
  let waits = false;
  try {
    const recorded = await journal.step<JsonValue>(name, async () => {
      const value = await ask();
      if (value !== undefined) return value;
      if (journal.receive !== undefined) return null;
      waits = true;
      throw new Error(`The step ${name} waits.`);
    });
    return recorded ?? undefined;
  } catch (error) {
    if (waits) return undefined;
    throw error;
  }
}
