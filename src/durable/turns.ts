/**
 * The tool calls of one model step. Their steps are created after the step of the model is recorded, because a model that
 * is asked again may call other tools. They are created in the order of the calls, because some engines find steps by
 * their position.
 */
export class StepTurn {
  /** The number of the model step. */
  readonly step: number;
  /** Resolves when the model step is recorded. */
  readonly recorded: Promise<void>;
  /** Whether the model is really called, as opposed to read from the journal. */
  live = false;
  private last: Promise<void> = Promise.resolve();
  private open: () => void = () => undefined;

  constructor(step: number) {
    this.step = step;
    this.recorded = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  /** Lets the tool calls begin. */
  end(): void {
    this.open();
  }

  /** Takes the place of the next call. */
  takePlace(): TurnPlace {
    const before = this.last;
    let leave: () => void = () => undefined;
    this.last = new Promise((resolve) => {
      leave = resolve;
    });
    return { before, leave };
  }
}

/** The place of a call among those of its message. */
export interface TurnPlace {
  /** Resolves when all calls before have created their step, or need none. */
  readonly before: Promise<void>;
  /** Lets the next call create its step. */
  readonly leave: () => void;
}
