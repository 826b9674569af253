import type { PatchedDocument } from "./document.js";

/**
 * A string that replaces another one in a document while it is written. It is shown from the first character on that
 * differs, so a text that is written again and continued grows and never shrinks.
 */
export class ShownText {
  private readonly document: PatchedDocument;
  private readonly path: string;
  /** The string that it replaces, until it is shown. */
  private old: string | undefined;
  /** How many of its first characters are the same. */
  private same = 0;

  constructor(document: PatchedDocument, path: string, old: string) {
    this.document = document;
    this.path = path;
    this.old = old;
  }

  grow(piece: string): void {
    const { old, same } = this;
    if (old === undefined) {
      this.show("append", piece);
      return;
    }
    const rest = old.length - same;
    if (piece.length <= rest && old.startsWith(piece, same)) {
      this.same += piece.length;
      return;
    }
    this.old = undefined;
    if (piece.startsWith(old.slice(same))) this.show("append", piece.slice(rest));
    else this.show("replace", old.slice(0, same) + piece);
  }

  /** The new string is complete. */
  end(): void {
    const { old, same } = this;
    this.old = undefined;
    if (old !== undefined && same < old.length) this.show("replace", old.slice(0, same));
  }

  private show(op: "append" | "replace", value: string): void {
    this.document.apply({ op, path: this.path, value });
  }
}
