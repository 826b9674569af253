import type { JsonParseError } from "../errors.js";

/**
 * Why a document cannot be read further. Its error is made when it is asked for: an error takes as long as a hundred
 * characters, and most texts that readers try are refused.
 */
export class Rejection<Thrown = unknown> {
  private readonly create: () => Thrown;
  private created: { readonly error: Thrown } | undefined;

  constructor(create: () => Thrown) {
    this.create = create;
  }

  /** A scanner throws a `Mistake`, and a handler may throw any error. */
  static of(thrown: unknown): Rejection {
    return thrown instanceof Rejection ? thrown : new Rejection(() => thrown);
  }

  /** The same object each time. */
  get error(): Thrown {
    this.created ??= { error: this.create() };
    return this.created.error;
  }
}

/** The text is not JSON. Scanners throw it. */
export class Mistake extends Rejection<JsonParseError> {
  /** The place in the whole text. */
  readonly offset: number;

  constructor(offset: number, create: () => JsonParseError) {
    super(create);
    this.offset = offset;
  }
}
