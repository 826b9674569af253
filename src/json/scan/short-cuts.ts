/**
 * Short cuts of a scanner. Each of them either does exactly what the scanner would do, or declines. Scanners work without
 * them.
 */
export interface ShortCuts {
  readonly keys: GuessedKeys;
  /** A chunk of this length begins. */
  begin(length: number): void;
  /** A container was opened. */
  open(isArray: boolean): void;
  /** The bracket at this place is about to close the innermost container. */
  close(i: number): void;
  /**
   * After a bracket or comma: reads the guessed key, its colon, and its `value` if that is a simple string.
   *
   * @returns the index after the value, or before it if only the key was read; `start` to decline
   */
  member(text: string, start: number): number;
  /** The value that `member()` has read; `undefined` if only the key was read. */
  readonly value: string | undefined;
  /**
   * At the opening bracket of a value or the opening quote of a key: reads complete values, and tells the handler.
   *
   * @returns the index after the values; `start` to decline
   */
  read(text: string, start: number): number;
}

/** The keys that short cuts know. */
export interface GuessedKeys {
  /** A key begins. Returns the one that probably comes next. */
  guess(): { readonly key: string } | undefined;
  /** Compares the key with the one that was guessed, in any chunks. Returns the index after what they have in common. */
  match(text: string, start: number): number;
  /** The part of the key that was compared. */
  readonly matched: string;
  /** Was the key compared to its end? */
  readonly isWhole: boolean;
  /** The guessed key has come. Returns it. */
  right(): string;
  /** Another key was read. Returns the same text, as the shared copy if there is one. */
  learn(key: string): string;
}
