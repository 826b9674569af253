import { type Cell, type Figure, isFigure, quotient } from "./figures.js";

/** A report whose figures are measured. Its cases are those that the figures need. */
export interface Suite {
  readonly name: string;
  /** Default time per case and round: 300. */
  readonly milliseconds?: number;
  /** Matches the ids of the cases of `--smoke`. */
  readonly smoke: RegExp;
  readonly intro?: string;
  /** Shown first. */
  readonly goals: readonly Goal[];
  readonly parts?: readonly Part[];
}

export type Bound = `${"≥" | "≤"} ${number}`;

/** A row of the table of goals. */
export interface Goal {
  readonly name: string;
  readonly result: Figure;
  readonly bound?: Bound | undefined;
  /** The time of ours and of the other library that the result compares. */
  readonly times?: readonly [ours: Figure, theirs: Figure];
  /** Also shown by `npm run bench` alone. */
  readonly main?: boolean | undefined;
}

export function goal(name: string, result: Figure, bound?: Bound): Goal {
  return { name, result, bound };
}

/** Their time divided by ours, or with an upper bound our time divided by theirs. */
export function compared(name: string, ours: Figure, theirs: Figure, bound?: Bound, main = false): Goal {
  const result = bound?.startsWith("≤") ? quotient(ours, theirs) : quotient(theirs, ours);
  return { name, result, bound, times: [ours, theirs], main };
}

/** A part of a report: a text and a table. */
export interface Part {
  readonly text: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What one process measures. */
export interface Case {
  /** Unique in the suite. */
  readonly id: string;
  /** A count, such as bytes, is taken once per round. Times are sampled after a warm-up. */
  readonly isCount: boolean;
  /** Called only in the process that measures the case. Returns a function that takes a sample of at least so long. */
  load(): Promise<(milliseconds: number) => Promise<number>>;
}

/** Cases whose figures are compared. They take turns, so a change in the machine's speed affects them all alike. */
export type Group = readonly Case[];

/** All cases of a suite. Groups that share a case are one. */
export function groupsOf({ goals, parts = [] }: Suite): readonly Group[] {
  const cells = [
    ...goals.flatMap(({ times = [], result }) => [...times, result]),
    ...parts.flatMap(({ rows }) => rows.flat()),
  ];
  const groups = new Map<string, Map<string, Case>>();
  for (const cases of cells.filter(isFigure).flatMap((figure) => figure.groups)) {
    const joined = new Map(cases.flatMap((it) => [...(groups.get(it.id) ?? [[it.id, it] as const])]));
    for (const id of joined.keys()) groups.set(id, joined);
  }
  return [...new Set(groups.values())].map((group) => [...group.values()]);
}
