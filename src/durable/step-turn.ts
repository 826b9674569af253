import { setImmediate } from "node:timers";
import { deferred } from "../stream/core/result.js";

/**
 * The tool calls of one model step. Their steps are created after the step of the model is recorded, because another
 * attempt of the model call may call other tools.
 *
 * The first steps of the calls are created in the order of the calls. If the engine finds steps by position, the
 * further ones are created in rounds: nobody creates a second step before all others have created their first one or
 * ended. Which tool is the fastest may differ in the next attempt.
 */
export class StepTurn {
  /** The number of the model step. */
  readonly step: number;
  /** Whether the model is really called, as opposed to read from the journal. */
  live = false;
  private readonly ordered: boolean;
  private readonly places: TurnPlace[] = [];
  private isOpen = false;
  private readonly opening = deferred<undefined>();
  /** Resolves when the model step is recorded. */
  readonly recorded: Promise<void> = this.opening.promise;

  constructor(step: number, ordered: boolean) {
    this.step = step;
    this.ordered = ordered;
  }

  /** Lets the tool calls begin. */
  end(): void {
    const open = (): void => {
      this.isOpen = true;
      this.opening.resolve(undefined);
      this.admit();
    };
    // The last calls of the message take their places in the same turn of the event loop.
    if (this.ordered) setImmediate(open);
    else open();
  }

  /** Takes the place of the next call. */
  takePlace(): TurnPlace {
    const place = new TurnPlace(() => {
      this.admit();
    });
    this.places.push(place);
    return place;
  }

  private admit(): void {
    if (!this.isOpen) return;
    let next: TurnPlace | undefined;
    while ((next = this.places.find((place, at) => place.waits && this.mayCreate(place, at))))
      next.createNext();
  }

  private mayCreate({ created }: TurnPlace, at: number): boolean {
    if (created > 0 && !this.ordered) return true;
    return this.places.every(
      (other, index) =>
        index === at || other.ended || (index < at ? other.created > created : other.created >= created),
    );
  }
}

/** The place of a call among those of its message. */
export class TurnPlace {
  /** The number of steps that the call has created. */
  created = 0;
  ended = false;
  private readonly waiting: (() => void)[] = [];
  private readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  get waits(): boolean {
    return this.waiting.length > 0;
  }

  /** Creates a step when it is its turn. */
  create<T>(start: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(start());
        } catch (error) {
          reject(error);
        }
      });
      this.changed();
    });
  }

  createNext(): void {
    this.created++;
    this.waiting.shift()?.();
  }

  /** The call has ended: nobody waits for its steps. */
  leave(): void {
    this.ended = true;
    this.changed();
  }
}
