import type { Case, Results, Suite } from "./suite.js";

/** A part of a suite, with its own cases and its own report. */
export interface Section {
  readonly cases: readonly Case[];
  /** A short run that shows that everything works: only these. */
  readonly smoke: (id: string) => boolean;
  report(results: Results): string;
}

/** A suite of parts, one report behind the other. */
export function suiteOf(name: string, sections: readonly Section[]): Suite {
  return {
    name,
    cases: sections.flatMap(({ cases }) => cases),
    milliseconds: 300,
    smoke: (id) => sections.some(({ smoke }) => smoke(id)),
    report: (results) => sections.map((section) => section.report(results)).join("\n\n"),
  };
}
