import { PassThrough } from "node:stream";

/** The parts of a terminal that the live view uses: text, line feeds, cursor moves, erasing, wrapping and scrolling. */
export class Screen extends PassThrough {
  readonly isTTY = true;
  columns: number;
  rows: number;
  cursorVisible = true;
  /** What the program has written; a test may empty it. */
  written = "";
  /** The lines that scrolled off the top, then the lines on the screen. */
  private lines: string[] = [""];
  private width: number;
  private row = 0;
  private column = 0;
  private wraps = true;

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.width = columns;
    this.rows = rows;
    this.setEncoding("utf8");
    this.on("data", (text: string) => {
      this.written += text;
      for (const [token] of text.matchAll(/\u001b\[[?\d;]*[A-Za-z]|\r|\n|[^\u001b\r\n]/gu)) this.obey(token);
    });
  }

  /** All lines, without the empty ones at the end. */
  get text(): string {
    return this.lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }

  /**
   * Resizes like most terminals: lines that are too long are wrapped, and the cursor moves with its text.
   *
   * @param before is called before the program is notified
   */
  resize(columns: number, rows: number, before?: () => void): void {
    const wrapped: string[] = [];
    let row = 0;
    for (const [index, line] of this.lines.entries()) {
      if (index === this.row) row = wrapped.length;
      const text = line.trimEnd();
      for (let start = 0; start === 0 || start < text.length; start += columns) {
        wrapped.push(text.slice(start, start + columns));
      }
    }
    this.lines = wrapped;
    this.row = row;
    this.width = columns;
    before?.();
    this.columns = columns;
    this.rows = rows;
    this.emit("resize");
  }

  private obey(token: string): void {
    const line = this.lines[this.row] ?? "";
    if (token === "\n") this.down();
    else if (token === "\r") this.column = 0;
    else if (!token.startsWith("\u001b")) {
      if (this.column === this.width && this.wraps) this.down();
      this.column = Math.min(this.column, this.width - 1);
      const here = this.lines[this.row] ?? "";
      this.lines[this.row] =
        here.slice(0, this.column).padEnd(this.column) + token + here.slice(this.column + 1);
      this.column++;
    } else if (token === "\u001b[?25l" || token === "\u001b[?25h") this.cursorVisible = token.endsWith("h");
    else if (token.startsWith("\u001b[?7")) this.wraps = token.endsWith("h");
    else if (token.startsWith("\u001b[?2026") || token.endsWith("m")) return;
    else {
      const n = Number(/\d+/.exec(token)?.[0] ?? (/[ABG]$/.test(token) ? 1 : 0));
      const top = Math.max(0, this.lines.length - this.rows);
      if (token.endsWith("A")) this.row = Math.max(top, this.row - n);
      else if (token.endsWith("B")) this.row = Math.min(this.lines.length - 1, this.row + n);
      else if (token.endsWith("G")) this.column = n - 1;
      else if (token.endsWith("H")) [this.row, this.column] = [top, 0];
      else if (token.endsWith("K")) this.lines[this.row] = n === 2 ? "" : line.slice(0, this.column);
      else if (token.endsWith("J")) this.lines.splice(this.row, Infinity, line.slice(0, this.column));
      else throw new Error(`The screen does not know ${JSON.stringify(token)}.`);
    }
  }

  private down(): void {
    this.row++;
    this.column = 0;
    if (this.row === this.lines.length) this.lines.push("");
  }
}
