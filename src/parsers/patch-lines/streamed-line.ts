import type { JsonParserOptions } from "../../json/options.js";
import type { JsonParser } from "../../json/parser.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { PatchedDocument } from "./document.js";
import type { LinePlace, OperationRepairKind } from "./line-error.js";
import type { LineSyntax } from "./line-syntax.js";

/** Where a line begins, and what is lost with it. */
export interface OpenPlace extends LinePlace {
  /** The offsets of lines inside its text that may be operations themselves. */
  readonly lines: number[];
}

/** One line of a format that changes a document, while it is read. */
export interface StreamedLine {
  readonly place: OpenPlace;
  readonly parser: JsonParser;
  /** The place in the document that it changes, if it was read. */
  readonly path: string | undefined;
  /** The length of the pointers that `missingPlace()` follows. */
  readonly pointerLength: number;
  /** The operations that take back the part that was shown; empty if nothing was. */
  readonly undo: readonly AnyPatchOperation[];
  /** Applies what has arrived. */
  grow(): void;
  /**
   * Applies the rest of the line, whose text has ended.
   *
   * @returns the keys of a place that it waits for, if its own does not exist yet; "unchecked" if its value came before
   *   its place, so it has to be read again
   */
  finish(): "done" | "unchecked" | readonly string[];
  /** The keys of a place that a line still waits for. `undefined` if its own may exist now. */
  missingPlace(): readonly string[] | undefined;
  /** The line as text that can be read again. */
  toText(): string;
}

/** How lines begin, and how they are read. */
export interface LineFormat {
  readonly syntax: LineSyntax;
  open(place: OpenPlace, context: LineContext): StreamedLine;
}

/** The parts of the reader that a line needs to change the document. */
export interface LineContext {
  readonly document: PatchedDocument;
  /** Whether to show a value while it is still being written. */
  readonly growing: boolean;
  readonly json: JsonParserOptions & { readonly maxDepth: number };
  readonly repair: boolean;
  readonly onRepair: (kind: OperationRepairKind) => void;
}
