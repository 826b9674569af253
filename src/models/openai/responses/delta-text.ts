import { nonEmptyText } from "../../loose.js";

/** A text that comes in deltas, and then once more as a whole: what of the whole is new is handed on. */
export class DeltaText {
  private text = "";

  /** The delta, if it says something. */
  add(delta: unknown): string | undefined {
    const text = nonEmptyText(delta);
    if (text !== undefined) this.text += text;
    return text;
  }

  /** What the whole has more than came in deltas: all of it at servers that send none. */
  rest(whole: unknown): string | undefined {
    const text = nonEmptyText(whole);
    return text?.startsWith(this.text) === true ? this.add(text.slice(this.text.length)) : undefined;
  }

  get empty(): boolean {
    return this.text === "";
  }
}
