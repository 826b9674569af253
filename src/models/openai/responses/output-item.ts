import { type Loose, nonEmptyText } from "../../loose.js";

/** Adds an output item of a response to the draft while its events arrive. */
export interface OutputItem {
  /** Reads the first event of an item that is shown at once. */
  begin?(item: Loose): void;
  /** Reads an event about the item, between its start and its end. */
  read(event: Loose): void;
  /** Reads the complete item and adds everything that no event contained. */
  end(item: Loose): void;
}

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
