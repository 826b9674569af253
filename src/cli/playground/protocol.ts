import type { JsonRepairKind } from "../../json/repair/repair.js";
import type { SchemaIssue } from "../../schema/schema.js";

/** What the page asks for, and what it is told: the words that both sides of the playground share. */

/** What is read. */
export type Source =
  /** A document that is there already, cut into chunks here. */
  | { readonly kind: "text"; readonly text: string; readonly chunking: Chunking }
  /** One of the recordings that the server was started with, by its name in `Setup`. */
  | { readonly kind: "recording"; readonly name: string }
  /** A recording that the user has: JSON Lines of a provider's payloads, or what `record()` wrote. */
  | { readonly kind: "lines"; readonly text: string }
  /** A model, as `initModel()` takes it. The key is the server's. */
  | { readonly kind: "model"; readonly model: string; readonly prompt: string };

/** How a text is cut. */
export type Chunking =
  | { readonly by: "characters"; readonly size: number }
  /** 1 to 8 characters, the same for the same seed: about what tokens are. */
  | { readonly by: "tokens"; readonly seed: number }
  | { readonly by: "words" }
  | { readonly by: "lines" };

/** The body of `POST /api/runs`. */
export interface RunRequest {
  readonly source: Source;
  /** The text of a JSON Schema. */
  readonly schema?: string;
  /** Nothing but JSON: no prose around it, no repairs. */
  readonly strict?: boolean;
  readonly pace: Pacing;
}

/** How fast chunks are let through. */
export interface Pacing {
  readonly playing: boolean;
  /** Milliseconds from one chunk to the next; 0: as they come. */
  readonly interval: number;
}

/** The answer to it: the run is at `/api/runs/<id>/document` and `/trace`. */
export interface Begun {
  readonly id: string;
}

/** The body of `POST /api/runs/<id>/control`. */
export type Control =
  | ({ readonly action: "pace" } & Pacing)
  /** One chunk more. */
  | { readonly action: "step" }
  /** The connections of all readers are lost. The run goes on. */
  | { readonly action: "cut" }
  | { readonly action: "stop" };

/** Of all that is not 2xx. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** What `GET /api/setup` gives. */
export interface Setup {
  readonly recordings: readonly string[];
  readonly providers: readonly Provider[];
}

export interface Provider {
  readonly name: string;
  /** What a model of it may be called. */
  readonly example: string;
  /** What has to be set first; absent if nothing has. */
  readonly missing?: string;
}

/**
 * What the page shows besides the document: it is a document itself, which grows by patches like the other one. The texts of
 * chunks stand in one string, so that it grows by `append`.
 */
export interface Trace {
  /** The chunks, with `chunkBorder` behind each. */
  readonly text: string;
  /** How many characters are to come in all, where that is known. */
  readonly total: number | null;
  /** How it went so far, the last one now; thinned out when they are many. */
  readonly points: readonly Point[];
  readonly repairs: readonly Repair[];
  /** How it ended; null until then. */
  readonly end: End | null;
}

/** U+001E, the record separator: JSON cannot hold it, and where a text does it is shown as U+241E. */
export const chunkBorder = "\u001e";

/** What it has taken up to a chunk. Bytes are those of JSON in UTF-8, times are milliseconds, all of them sums. */
export interface Point {
  readonly chunks: number;
  readonly characters: number;
  readonly patches: number;
  /** The patches as they are sent. */
  readonly append: number;
  /** The same by RFC 6902 alone, where a string that grows is sent whole. */
  readonly replace: number;
  /** The whole value after each of them. */
  readonly snapshot: number;
  /** Each chunk read once. */
  readonly once: number;
  /** The whole text read again after each chunk: measured now and then, and summed up. */
  readonly again: number;
}

export interface Repair {
  readonly kind: JsonRepairKind;
  /** UTF-16 code units of the whole text, from 0. */
  readonly offset: number;
  /** The text around it. */
  readonly near: string;
}

export type End =
  | { readonly kind: "complete" }
  | { readonly kind: "stopped" }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      /** What breaks the schema, if that is it. */
      readonly issues: readonly SchemaIssue[];
      /** Where the text is wrong, if that is it. */
      readonly offset: number | null;
    };
