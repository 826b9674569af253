/**
 * Work and memory are paid from what was received: each operation is charged for what it reads, compares, checks,
 * copies or writes, and may take so much as came in, times a factor. One unit of work is about the time to read one
 * character.
 *
 * For 1,000 characters and the factor 64, operations may take 65,536 + 64,000 units. A copy of 200,000 characters is
 * refused then, and so are others until what came in has paid for it.
 */
export class WorkBudget implements Payer {
  private received = 0;
  private measured = 0;
  private spent = 0;
  readonly copyWork: CopyWork | undefined;
  private readonly advice: string;
  private readonly factor: number;
  private readonly free: number;
  private readonly measure: (atMost: number) => number;

  constructor(options: WorkBudgetOptions = {}) {
    const { factor = workPerCharacter, free = freeWork, measure = () => 0 } = options;
    this.advice = options.advice ?? "Copy, move, compare and insert less, or smaller values.";
    this.factor = Math.min(factor, Number.MAX_SAFE_INTEGER);
    this.free = free;
    this.measure = measure;
    this.copyWork = options.copyWork;
  }

  /** @param size the number of characters, members or elements that came in */
  receive(size: number): void {
    this.received += size;
  }

  pays(work: number): boolean {
    this.spent += work;
    // Twice as much as is needed now, so that it is seldom measured.
    if (this.room < 0) this.measured = this.measure((2 * this.spent) / this.factor);
    return this.room >= 0;
  }

  get room(): number {
    return this.allowed - this.spent;
  }

  get problem(): string {
    const { spent, allowed, free, factor } = this;
    return (
      `the work so far would be ${Math.ceil(spent)}, and ${allowed} is allowed: ` +
      `${free}, and ${factor} for each of ${this.received + this.measured} characters that came in. ` +
      this.advice
    );
  }

  private get allowed(): number {
    return this.free + this.factor * (this.received + this.measured);
  }
}

export interface WorkBudgetOptions {
  /** How much work each unit that came in pays for. Default: 64. */
  readonly factor?: number;
  /** Default: 65,536. */
  readonly free?: number;
  /** Measures what came in and is not counted, such as a value that was there before. It may stop at a bound. */
  readonly measure?: (atMost: number) => number;
  readonly copyWork?: CopyWork;
  /** The end of the message: a way to need less work. Default: for patches. */
  readonly advice?: string;
}

/** A budget, or a part of one. */
export interface Payer {
  /**
   * Charges for work, also if there is too little for it: a debt that what comes in pays first. Returns whether there
   * was enough.
   */
  pays(work: number): boolean;
  /** How much is left. Below 0 while there is a debt. */
  readonly room: number;
  /** The message of an error: how much was spent and is allowed, and the advice. */
  readonly problem: string;
  /** The work of a copy, for those who write its value later. Default: a copy is free, as it shares its value. */
  readonly copyWork?: CopyWork | undefined;
}

/** How much work each character that came in pays for. */
export const workPerCharacter = 64;
/** How much work a short text may take. */
export const freeWork = 65_536;

/** Measures a value, up to a bound. */
type CopyWork = (value: never, atMost: number) => number;
