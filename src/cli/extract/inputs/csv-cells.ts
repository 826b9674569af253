import type { Operator } from "../../../stream/operator.js";
import { stage } from "../../../stream/core/stage.js";
import { size } from "../../../text/counts.js";
import { InputError } from "../../terminal/input-error.js";
import { maxDocument } from "./document.js";

/** A row of a CSV file. */
export interface CsvRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** At the beginning of a cell. */
const START = 0;
/** `a` */
const BARE = 1;
/** `"a` */
const QUOTED = 2;
/** `"a"`; another quote is part of the cell */
const CLOSED = 3;

/**
 * Reads CSV as in RFC 4180: a cell in quotes may contain delimiters, line ends and doubled quotes. White space belongs
 * to a cell. Empty lines are skipped. A quote inside a cell that does not begin with one is text.
 *
 * @throws {InputError} `not_csv`, in the stream, if text follows a closing quote, or a quote or a row has no end
 */
export function csvCells(path: string, delimiter: string): Operator<string, CsvRow> {
  return stage((emit) => {
    let state: typeof START | typeof BARE | typeof QUOTED | typeof CLOSED = START;
    let cells: string[] = [];
    let cell = "";
    let length = 0;
    let line = 1;
    let rowLine = 1;
    let afterReturn = false;
    const fail = (problem: string): never => {
      throw new InputError("not_csv", `${path} is not valid CSV: the row on line ${rowLine} ${problem}.`);
    };
    const endCell = (): void => {
      cells.push(cell);
      cell = "";
      state = START;
    };
    const endRow = (): void => {
      const isEmpty = state === START && cells.length === 0;
      endCell();
      if (!isEmpty) emit({ line: rowLine, cells });
      cells = [];
      length = 0;
    };
    return {
      next: (text) => {
        for (const character of text) {
          const isLineEnd = character === "\n" || character === "\r";
          const continues = character === "\n" && afterReturn;
          afterReturn = character === "\r";
          if (isLineEnd && !continues) line++;
          if (continues && state !== QUOTED) {
            rowLine = line;
            continue;
          }
          if (++length > maxDocument)
            fail(`is longer than ${size(maxDocument)}, or one of its quotes has no end`);
          if (state === QUOTED) {
            if (character === '"') state = CLOSED;
            else cell += character;
          } else if (character === '"' && state !== BARE) {
            if (state === CLOSED) cell += character;
            state = QUOTED;
          } else if (character === delimiter) endCell();
          else if (isLineEnd) {
            endRow();
            rowLine = line;
          } else if (state === CLOSED) {
            fail(`has ${JSON.stringify(character)} after a closing quote. Write a quote in a cell twice`);
          } else {
            cell += character;
            state = BARE;
          }
        }
      },
      end: () => {
        if (state === QUOTED) fail("has a quote without an end");
        if (state !== START || cells.length > 0) endRow();
      },
    };
  });
}
