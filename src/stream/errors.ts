import { MillraceError } from "../errors.js";

/**
 * - `timeout`: see `TimeoutError`
 * - `bad_result`: the `next()` of a source gave something else than `{ done, value }`
 */
export type StreamErrorCode = "timeout" | "bad_result";

/** An error of a stream itself, as opposed to an error of the data in it. */
export class StreamError extends MillraceError<StreamErrorCode> {
  override readonly name: string = "StreamError";
}

/** The limit of `timeout` that was exceeded. */
export type TimeoutLimit = "first" | "idle" | "total";

/** A source was silent for longer than `timeout` allows, or took too long in total. */
export class TimeoutError extends StreamError {
  override readonly name: string = "TimeoutError";
  declare readonly limit: TimeoutLimit;
  /** The exceeded limit in milliseconds. */
  declare readonly ms: number;
  /** The number of items that arrived before. */
  declare readonly items: number;

  constructor(limit: TimeoutLimit, ms: number, items: number) {
    const broken = {
      first: `sent no first item within ${ms} ms`,
      idle: `sent no item for ${ms} ms`,
      total: `took longer than ${ms} ms in total`,
    }[limit];
    const message = `The source ${broken} and was closed. Items received before: ${items}.`;
    super("timeout", message, { limit, ms, items });
  }
}
