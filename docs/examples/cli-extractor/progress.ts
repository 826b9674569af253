import type { WriteStream } from "node:tty";
import type { Outcome } from "./extract.js";

/** Shows progress while letters are read. Results go to stdout, and messages for people to `terminal`. */
export interface Progress {
  begin(file: string): void;
  /** An order is complete, in a letter that is still being read. */
  found(file: string): void;
  end(file: string, outcome: Outcome): void;
  /** Writes a result. */
  write(line: string): void;
  /** Says something to people. */
  note(text: string): void;
  close(): void;
}

/** A bar in the last line of a terminal; elsewhere a line for each letter that has been read. */
export function createProgress(terminal: WriteStream, total: number): Progress {
  /** How many orders there are by now in each letter that is being read. */
  const reading = new Map<string, number>();
  let done = 0;
  let failed = 0;
  let orders = 0;
  const clear = (): void => {
    if (terminal.isTTY) terminal.write(clearLine);
  };
  const draw = (): void => {
    if (!terminal.isTTY) return;
    const bar = "█".repeat(Math.round((done / total) * width)).padEnd(width, "░");
    const soFar = [...reading.values()].reduce((sum, count) => sum + count, orders);
    const failures = failed === 0 ? "" : ` · ${failed} failed`;
    const open = [...reading].map(([file, count]) => ` · ${file} ${count}`).join("");
    const line = `${bar} ${done}/${total} · ${counted(soFar, "order")}${failures}${open}`;
    // A line that wraps cannot be taken back; three columns are for the ^C that a terminal adds.
    terminal.write(clearLine + line.slice(0, terminal.columns - 3));
  };
  /** The bar gives way to a line, and comes again below it. */
  const above = (write: () => void): void => {
    clear();
    write();
    draw();
  };
  const note = (text: string): void => {
    above(() => terminal.write(`${text}\n`));
  };
  return {
    begin(file) {
      reading.set(file, 0);
      draw();
    },
    found(file) {
      reading.set(file, (reading.get(file) ?? 0) + 1);
      draw();
    },
    end(file, outcome) {
      reading.delete(file);
      done++;
      if (outcome.ok) {
        orders += outcome.orders.length;
        if (terminal.isTTY) draw();
        else note(`${file}: ${counted(outcome.orders.length, "order")}`);
      } else {
        failed++;
        note(`${file}: failed: ${outcome.error}`);
      }
    },
    write(line) {
      above(() => process.stdout.write(`${line}\n`));
    },
    note,
    close() {
      clear();
      const failures = failed === 0 ? "" : `; ${failed} failed`;
      terminal.write(`${counted(orders, "order")} in ${done} of ${counted(total, "letter")}${failures}\n`);
    },
  };
}

const width = 20;
const clearLine = "\r\u001b[2K";

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
