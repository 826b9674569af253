import { MillraceError } from "../errors.js";

/** Which error of a stage it is. */
export type StreamErrorCode = "timeout";

/** An error of the streams themselves, and not of what runs through them. */
export class StreamError extends MillraceError<StreamErrorCode> {
  override readonly name: string = "StreamError";
}

/** Which of the limits of `timeout` was reached. */
export type TimeoutLimit = "first" | "idle" | "total";

/** A source was silent for longer than `timeout` allows, or took longer than that in all. */
export class TimeoutError extends StreamError {
  override readonly name: string = "TimeoutError";
  readonly limit: TimeoutLimit;
  /** The limit that was reached, in milliseconds. */
  readonly ms: number;
  /** Items that had arrived before. */
  readonly items: number;

  constructor(limit: TimeoutLimit, ms: number, items: number) {
    const broken = {
      first: `did not give its first item within ${ms} ms`,
      idle: `gave nothing for ${ms} ms`,
      total: `took longer than ${ms} ms in all`,
    }[limit];
    super("timeout", `The source ${broken}; ${items} items had arrived before. It was closed.`);
    this.limit = limit;
    this.ms = ms;
    this.items = items;
  }
}
