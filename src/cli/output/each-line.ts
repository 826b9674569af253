import { MillraceError } from "../../errors.js";
import { pipe } from "../../stream/pipe.js";
import type { Operator } from "../../stream/operator.js";

/** A line of NDJSON failed with `cause`. */
export class LineError extends MillraceError<"line"> {
  override readonly name = "LineError";
  /** The line, from 1. */
  declare readonly line: number;

  constructor(line: number, cause: unknown) {
    super("line", `Line ${line} is invalid.`, { line, cause });
  }
}

/**
 * Applies a stage to each line of a text, as if it were a whole document. A line is passed on while it arrives. Empty
 * lines are skipped.
 *
 * @throws {LineError} in the stream, at the first line whose document fails
 */
export function eachLine<Out>(stage: Operator<string, Out>): Operator<string, Out> {
  return async function* (source) {
    const chunks = source[Symbol.asyncIterator]();
    let number = 1;
    /** Text that was read and belongs to this line or a later one; `undefined` at the end of the source. */
    let rest: string | undefined = "";
    /** The error of the source, which is not an error of a line. */
    let failure: { readonly error: unknown } | undefined;
    const read = async (): Promise<void> => {
      try {
        const result = await chunks.next();
        rest = result.done === true ? undefined : result.value;
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    /** Reads to the next line that is not empty. Returns whether there is one. */
    const hasLine = async (): Promise<boolean> => {
      while (rest !== undefined) {
        const text = rest.replace(/^[ \t\r\n]+/, "");
        number += rest.slice(0, rest.length - text.length).split("\n").length - 1;
        rest = text;
        if (text !== "") return true;
        await read();
      }
      return false;
    };
    async function* line(): AsyncGenerator<string, void, undefined> {
      while (rest !== undefined) {
        const end = rest.indexOf("\n");
        const piece = end < 0 ? rest : rest.slice(0, end);
        rest = rest.slice(piece.length);
        if (piece !== "") yield piece;
        if (end >= 0) return;
        await read();
      }
    }
    try {
      while (await hasLine()) {
        try {
          yield* pipe(line(), stage);
        } catch (error) {
          throw failure === undefined ? new LineError(number, error) : error;
        }
      }
    } finally {
      if (rest !== undefined && failure === undefined) await chunks.return?.();
    }
  };
}
