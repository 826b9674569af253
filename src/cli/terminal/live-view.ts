import { createLogUpdate } from "log-update";
import type { OutputStream } from "./io.js";

/** Gives the lines for a terminal of this size. Called again when the size changes. */
export type Frame = (columns: number, rows: number) => readonly string[];

/**
 * Paints frames in place, each over the one before, with the cursor hidden. log-update writes only the lines that
 * differ, inside a synchronized update. What it leaves to us: the cursor, as it hides that of standard error; frames
 * that are higher than the screen; and terminals that become smaller.
 */
export class LiveView {
  private readonly terminal: OutputStream;
  private readonly update: ReturnType<typeof createLogUpdate>;
  private frame: Frame | undefined;
  private columns: number;
  private rows: number;

  constructor(terminal: OutputStream) {
    this.terminal = terminal;
    this.update = createLogUpdate(terminal, { showCursor: true });
    this.columns = columnsOf(terminal);
    this.rows = rowsOf(terminal);
    terminal.on("resize", this.onResize);
    // A crash must not leave the shell without a cursor either.
    process.on("exit", this.showCursor);
    terminal.write(hideCursor);
  }

  show(frame: Frame): void {
    this.frame = frame;
    // The view ends in an empty line, where log-update leaves the cursor.
    this.update(frame(this.columns, this.rows - 1).join("\n"));
  }

  /** Takes the frame off the screen again, to make room for what is to stay. */
  clear(): void {
    this.update.clear();
  }

  /** Gives the cursor back. What was painted last stays. */
  close(): void {
    this.terminal.off("resize", this.onResize);
    process.off("exit", this.showCursor);
    this.update.done();
    this.showCursor();
  }

  private readonly showCursor = (): void => {
    this.terminal.write(showCursor);
  };

  private readonly onResize = (): void => {
    const columns = columnsOf(this.terminal);
    const rows = rowsOf(this.terminal);
    const smaller = columns < this.columns || rows < this.rows;
    this.columns = columns;
    this.rows = rows;
    if (this.frame === undefined) return;
    if (smaller) {
      // The terminal has wrapped and scrolled what stood there, and frames painted before we heard of it as well: nobody
      // knows where the frame begins now. So it gets a clean screen.
      this.terminal.write(clearScreen);
      this.update.done();
    }
    this.show(this.frame);
  };
}

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const clearScreen = "\u001b[H\u001b[J";

export function columnsOf(terminal: OutputStream): number {
  return Math.max(terminal.columns ?? 80, 2);
}

function rowsOf(terminal: OutputStream): number {
  return Math.max(terminal.rows ?? 24, 2);
}
