import { nonEmptyText } from "../../loose.js";

/** A text that arrives in deltas and is then repeated as a whole. */
export class DeltaText {
  private text = "";

  /** Adds a delta and returns it, or `undefined` if it is empty. */
  add(delta: unknown): string | undefined {
    const text = nonEmptyText(delta);
    if (text !== undefined) this.text += text;
    return text;
  }

  /** Returns the part of the whole that the deltas did not contain. Some servers send no deltas. */
  rest(whole: unknown): string | undefined {
    const text = nonEmptyText(whole);
    return text?.startsWith(this.text) === true ? this.add(text.slice(this.text.length)) : undefined;
  }

  get empty(): boolean {
    return this.text === "";
  }
}
