import type { OutputStream } from "./io.js";

/** Returns the lines for a terminal of this size. Called again when the size changes. */
export type RenderFrame = (columns: number, rows: number) => readonly string[];

/**
 * Paints frames in place, each over the one before, with the cursor hidden. It writes only the lines that differ, inside
 * a synchronized update, so no terminal shows half a frame. A line that is too long is cut by the terminal.
 */
export class LiveView {
  private readonly terminal: OutputStream;
  /** The lines on the screen. The cursor is on the empty line after them. */
  private lines: readonly string[] = [];
  private frame: RenderFrame | undefined;
  private columns: number;
  private rows: number;

  constructor(terminal: OutputStream) {
    this.terminal = terminal;
    this.columns = columnsOf(terminal);
    this.rows = rowsOf(terminal);
    terminal.on("resize", this.onResize);
    // Restores the cursor even after a crash.
    process.on("exit", this.showCursor);
    terminal.write(hideCursor);
  }

  show(frame: RenderFrame): void {
    this.frame = frame;
    // One row less than the screen, for the cursor.
    this.paint(frame(this.columns, this.rows - 1));
  }

  /** Removes the frame from the screen, before the final output is written. */
  clear(): void {
    this.paint([]);
  }

  /** Shows the cursor again. The last frame stays on the screen. */
  close(): void {
    this.terminal.off("resize", this.onResize);
    process.off("exit", this.showCursor);
    this.lines = [];
    this.showCursor();
  }

  private paint(lines: readonly string[]): void {
    const { length } = this.lines;
    if (length === lines.length && lines.every((line, i) => line === this.lines[i])) return;
    const up = length > 0 ? `\u001b[${length}A` : "";
    const text = lines.map((line, i) => (line === this.lines[i] ? "\n" : `${clearLine}${line}\n`));
    this.terminal.write(`${beginUpdate}${up}${text.join("")}${clearBelow}${endUpdate}`);
    this.lines = lines;
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
      // The terminal has wrapped and scrolled the frame, and perhaps frames painted before this event. The frame's
      // position is unknown, so clear the screen.
      this.terminal.write(clearScreen);
      this.lines = [];
    }
    this.show(this.frame);
  };
}

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const clearScreen = "\u001b[H\u001b[J";
const clearLine = "\u001b[2K";
const clearBelow = "\u001b[J";
/** Begins a synchronized update, and cuts lines that are too long instead of wrapping them. */
const beginUpdate = "\u001b[?2026h\u001b[?7l";
const endUpdate = "\u001b[?7h\u001b[?2026l";

export function columnsOf({ columns = 0 }: OutputStream): number {
  return columns === 0 ? 80 : Math.max(columns, 2);
}

/** A terminal that does not know its size reports 0, such as that of `script` in a process without a terminal. */
function rowsOf({ rows = 0 }: OutputStream): number {
  return rows === 0 ? 24 : Math.max(rows, 2);
}
