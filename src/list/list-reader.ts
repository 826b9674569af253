/** A synchronous machine: the text of a list goes in, its items come out as soon as nothing that follows can change them. */
export interface ListReader {
  /** @throws {ListError} at a bound. The items before it have been given. */
  write(text: string): void;
  /**
   * The text has ended: gives what only its end made certain.
   *
   * @throws {ListError} if it ended where it cannot; what was open has been given as far as it was known
   */
  end(): void;
}

/** Makes the machine of one text. `offset`: how many characters came before it, 0 by default. */
export type CreateListReader<Item> = (emit: (item: Item) => void, offset?: number) => ListReader;
