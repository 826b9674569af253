import { createLogUpdate } from "log-update";
import type { OutputStream } from "./io.js";
import { widthOf } from "./text-layout.js";

/** Gives the lines for a terminal of this size. Called again when the size changes. */
export type Frame = (columns: number, rows: number) => readonly string[];

/**
 * Paints frames in place, each over the one before, with the cursor hidden. log-update writes only the lines that
 * differ, inside a synchronized update. What it leaves to us: the cursor, as it hides that of standard error; frames
 * that are higher than the screen; and terminals that become narrower and wrap what stands there already.
 */
export class LiveView {
  private readonly terminal: OutputStream;
  private readonly update: ReturnType<typeof createLogUpdate>;
  private frame: Frame | undefined;
  private painted: readonly string[] = [];
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
    this.painted = frame(this.columns, this.rows - 1);
    this.update(this.painted.join("\n"));
  }

  /** Takes the frame off the screen again, to make room for what is to stay. */
  clear(): void {
    this.update.clear();
    this.painted = [];
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
    this.columns = columnsOf(this.terminal);
    this.rows = rowsOf(this.terminal);
    if (this.frame === undefined) return;
    // Terminals wrap old lines at their new width. Erase the rows that the old frame takes now, not those it took.
    let height = 0;
    for (const line of this.painted) height += Math.max(1, Math.ceil(widthOf(line) / this.columns));
    this.terminal.write(upAndErase(Math.min(height, this.rows - 1)));
    this.update.done();
    this.show(this.frame);
  };
}

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";

function upAndErase(rows: number): string {
  const up = rows > 0 ? `\u001b[${rows}A` : "";
  return `${up}\r\u001b[J`;
}

export function columnsOf(terminal: OutputStream): number {
  return Math.max(terminal.columns ?? 80, 2);
}

function rowsOf(terminal: OutputStream): number {
  return Math.max(terminal.rows ?? 24, 2);
}
