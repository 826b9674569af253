/**
 * A string that replaces another one while it is written. It is shown from the first character on that differs, so a
 * text that is written again and continued grows and never shrinks.
 */
export class ShownText {
  /** The string that it replaces, until it is shown. */
  private old: string | undefined;
  /** How many of its first characters are the same. */
  private same = 0;

  constructor(old: string) {
    this.old = old;
  }

  grow(piece: string, append: (suffix: string) => void, replace: (text: string) => void): void {
    const { old, same } = this;
    if (old === undefined) {
      append(piece);
      return;
    }
    const rest = old.length - same;
    if (piece.length <= rest && old.startsWith(piece, same)) {
      this.same += piece.length;
      return;
    }
    this.old = undefined;
    if (piece.startsWith(old.slice(same))) append(piece.slice(rest));
    else replace(old.slice(0, same) + piece);
  }

  /** The new string is complete. */
  end(replace: (text: string) => void): void {
    const { old, same } = this;
    this.old = undefined;
    if (old !== undefined && same < old.length) replace(old.slice(0, same));
  }
}
