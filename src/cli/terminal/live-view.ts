import { createLogUpdate } from "log-update";
import type { OutputStream } from "./io.js";

/** Returns the lines for a terminal of this size. Called again when the size changes. */
export type RenderFrame = (columns: number, rows: number) => readonly string[];

/**
 * Paints frames in place, each over the one before, with the cursor hidden. log-update writes only the lines that
 * differ, inside a synchronized update. This class handles what log-update does not: hiding the cursor of this stream
 * (log-update hides that of standard error), frames higher than the screen, and terminals that shrink.
 */
export class LiveView {
  private readonly terminal: OutputStream;
  private readonly update: ReturnType<typeof createLogUpdate>;
  private frame: RenderFrame | undefined;
  private columns: number;
  private rows: number;

  constructor(terminal: OutputStream) {
    this.terminal = terminal;
    this.update = createLogUpdate(terminal, { showCursor: true });
    this.columns = columnsOf(terminal);
    this.rows = rowsOf(terminal);
    terminal.on("resize", this.onResize);
    // Restores the cursor even after a crash.
    process.on("exit", this.showCursor);
    terminal.write(hideCursor);
  }

  show(frame: RenderFrame): void {
    this.frame = frame;
    // One row less than the screen: log-update leaves the cursor on an empty last line.
    this.update(frame(this.columns, this.rows - 1).join("\n"));
  }

  /** Removes the frame from the screen, before the final output is written. */
  clear(): void {
    this.update.clear();
  }

  /** Shows the cursor again. The last frame stays on the screen. */
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
      // The terminal has wrapped and scrolled the frame, and perhaps frames painted before this event. The frame's
      // position is unknown, so clear the screen.
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
