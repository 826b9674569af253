import type { Case, Results } from "../suite.js";

/** A part of the suite: one kind of parser, with its own cases and its own report. */
export interface Section {
  readonly cases: readonly Case[];
  /** A short run that shows that everything works: only these. */
  readonly smoke: (id: string) => boolean;
  report(results: Results): string;
}
