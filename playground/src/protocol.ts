import type { PatchLineErrorCode, PatchLineRepair } from "millrace";
import type { SchemaIssue } from "millrace/schema";

/** The requests, responses and documents that the page and the server exchange. */

/** The source of a run. */
export type Source =
  /** A complete document, which the server cuts into chunks. */
  | { readonly kind: "text"; readonly text: string; readonly chunking: Chunking }
  /** A recording from the server's folder, by its name in `PlaygroundSetup`. */
  | { readonly kind: "recording"; readonly name: string }
  /** An uploaded recording: JSON Lines of a provider's payloads, or a transcript of `record()`. */
  | { readonly kind: "lines"; readonly text: string }
  /** A model name for `initModel()`. The server holds the key. */
  | { readonly kind: "model"; readonly model: string; readonly prompt: string };

/** How to cut a text into chunks. */
export type Chunking =
  | { readonly by: "characters"; readonly size: number }
  /** 1 to 8 characters, about the size of tokens. The same seed gives the same chunks. */
  | { readonly by: "tokens"; readonly seed: number }
  | { readonly by: "words" }
  | { readonly by: "lines" };

/**
 * The format of the text.
 *
 * - `json`: one document
 * - `spec`: a SpecStream of json-render, JSON Patch operations that build an interface, one a line
 */
export type Format = "json" | "spec";

/** The body of `POST /api/runs`. */
export interface RunRequest {
  readonly source: Source;
  /** Default: `json`. */
  readonly format?: Format;
  /** A JSON Schema as text; for a `spec`, an object with the schema of each component's properties. */
  readonly schema?: string;
  /** Accept only JSON, without repairs, and no prose around a document. */
  readonly strict?: boolean;
  readonly pace: Pacing;
}

/** The speed of a run. */
export interface Pacing {
  readonly playing: boolean;
  /** Milliseconds between chunks; 0 for no delay. */
  readonly interval: number;
}

/** The response to `POST /api/runs`. The run's streams are `/api/runs/<id>/document` and `/api/runs/<id>/trace`. */
export interface Begun {
  readonly id: string;
}

/** The body of `POST /api/runs/<id>/control`. */
export type Control =
  | ({ readonly action: "pace" } & Pacing)
  /** Pass one chunk, then pause. */
  | { readonly action: "step" }
  /** Close the connections of all readers. The run continues. */
  | { readonly action: "cut" }
  | { readonly action: "stop" };

/** The body of every response whose status is not 2xx. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The response to `GET /api/setup`. */
export interface PlaygroundSetup {
  readonly recordings: readonly string[];
  readonly providers: readonly Provider[];
}

export interface Provider {
  readonly name: string;
  /** An example of a model name. */
  readonly example: string;
  /** Message about missing configuration; absent if the provider is ready. */
  readonly missing?: string;
}

/**
 * Everything that the page shows except the document. The trace is itself a document, sent as patches. All chunks are
 * in one string because a string can grow by `append`.
 */
export interface Trace {
  /** The chunks, each followed by `chunkBorder`. */
  readonly text: string;
  /** Number of characters in the whole text; null if unknown. */
  readonly total: number | null;
  /** Measurements, the current one last. Thinned out when there are many. */
  readonly points: readonly Point[];
  readonly repairs: readonly Repair[];
  /** The operations of a `spec` that were not applied. What they had shown was taken back. */
  readonly refused: readonly RefusedLine[];
  /** The outcome; null while the run continues. */
  readonly end: End | null;
}

/** U+001E, the record separator. JSON cannot contain it; in other text it is shown as U+241E. */
export const chunkBorder = "\u001e";

/** Totals after a chunk. Bytes are JSON in UTF-8, times are milliseconds. */
export interface Point {
  readonly chunks: number;
  readonly characters: number;
  readonly patches: number;
  /** Bytes of the patches as sent. */
  readonly append: number;
  /** Bytes of the patches in plain RFC 6902, which sends a growing string whole each time. */
  readonly replace: number;
  /** Bytes of the whole value, sent after each patch. */
  readonly snapshot: number;
  /** The characters that are parsed if the whole text is parsed again after each chunk. */
  readonly again: number;
  /** Mean number of characters of its line that were not written yet when a component appeared. Only in a `spec`. */
  readonly ahead: number;
}

export interface Repair {
  readonly kind: PatchLineRepair["kind"];
  /** Offset in the whole text in UTF-16 code units, from 0. */
  readonly offset: number;
  /** The text around it. */
  readonly near: string;
}

export interface RefusedLine {
  readonly code: PatchLineErrorCode;
  readonly message: string;
  /** Offset of the operation in the whole text. */
  readonly offset: number;
}

export type End =
  | { readonly kind: "complete" }
  | { readonly kind: "stopped" }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      /** Schema violations; empty for other errors. */
      readonly issues: readonly SchemaIssue[];
      /** Offset of the syntax error; null for other errors. */
      readonly offset: number | null;
    };
