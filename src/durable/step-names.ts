import type { Journal } from "../agent/journal.js";
import { cut } from "../text/cut.js";
import { sha256 } from "./sha256.js";

/** The step that records how a run ended. It is the last one. */
export const endStep = "end";

/** The step that records the input of a run. It is the first one. */
export const beginStep = "begin";

export function modelStepName(step: number): string {
  return `model ${step}`;
}

/** The id and the name are written by a model, so they may have any length and any characters. */
export function toolStepName(
  step: number,
  { id, name }: { readonly id: string; readonly name: string },
): string {
  return `tool ${step} ${keepable(id)} ${keepable(name)}`;
}

/**
 * A text that every journal can keep: PostgreSQL has no character 0, and UTF-8 no halves of surrogate pairs. Two texts
 * that differ stay different.
 */
function keepable(text: string): string {
  const kept = cut(text, 100).replace(/\0|\p{Surrogate}/gu, "\ufffd");
  // JSON writes half a surrogate pair as an escape.
  return kept === text ? text : kept + sha256(JSON.stringify(text), 16);
}

/**
 * A journal that numbers repeated names: `model 3`, `model 3 (2)`. Steps with one name are created in the same order in
 * each attempt, so they get the same numbers.
 */
export class NumberingJournal implements Journal {
  readonly ordered: boolean;
  private readonly journal: Journal;
  private readonly counts = new Map<string, number>();

  constructor(journal: Journal) {
    this.journal = journal;
    this.ordered = journal.ordered === true;
  }

  readonly step: Journal["step"] = (name, ...work) => this.journal.step(this.numbered(name), ...work);

  /**
   * The same journal for middleware around a call.
   *
   * @param name the name of the call's own step
   * @param create creates a step when it is its turn
   */
  within(name: string, create: StepCreation = (start) => start()): Journal {
    const { journal } = this;
    return {
      step: (inner, ...work) => create(() => this.step(`${name} ${inner}`, ...work)),
      ...(journal.receive !== undefined && {
        receive: (inner: string) =>
          create(() => (journal as Required<Journal>).receive(this.numbered(`${name} ${inner}`))),
      }),
    };
  }

  private numbered(name: string): string {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  }
}

type StepCreation = <T>(start: () => Promise<T>) => Promise<T>;
