import type { JsonCoercing } from "./coercion.js";
import type { JsonListener } from "./handler.js";

/**
 * Checks documents while they are read, and decides which parts are shown. `guardOf()` creates one from a schema.
 *
 * Called for each document. The handler that it returns stands in front of the next one: it passes the document on,
 * withholds parts of it, or throws an error, which ends the document. Each key goes to the next handler when its value
 * does, so a member that is left out has none. A value that was withheld is one `leaf()`.
 *
 * `{"kind": "circle"}` with an `enum` gives, in two chunks: `open(false)`, `key("kind")` and `text("cir", false)`, of
 * which the guard passes on `open(false)`; then `text("cle", true)`, and the guard passes on `key("kind")` and
 * `text("circle", true)`.
 */
export type JsonGuard = (next: JsonListener, reading?: JsonReading) => JsonListener;

/** How the text of a document is read. */
export interface JsonReading {
  /** May a word that begins like a number or literal turn out to be a string? */
  readonly repairs?: boolean | undefined;
  /** May several objects at the root be the elements of a list? `close()` then ends it: see `awaitsElement()`. */
  readonly several?: boolean | undefined;
  /** How to read values that the schema does not allow as they are written. Without it they are refused. */
  readonly coercing?: JsonCoercing | undefined;
  /** What to throw instead of an error, for a document that is only tried. Default: the error. */
  readonly refuse?: ((createError: () => Error) => unknown) | undefined;
}
