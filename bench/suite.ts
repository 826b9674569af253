import type { Cell, Figure } from "./figures.js";

/** A report whose figures are measured. Its cases are those that the figures need. */
export interface Suite {
  readonly name: string;
  /** Default time per case and round: 300. */
  readonly milliseconds?: number;
  /** Matches the ids of the cases of `--smoke`. */
  readonly smoke: RegExp;
  readonly intro?: string;
  readonly parts: readonly Part[];
}

/** A part of a report: a text and a table. */
export interface Part {
  readonly text: string | readonly Cell[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the table decides the goals. The groups of its timed cases run in three processes per round. */
  readonly decisive?: boolean;
}

export type Case = TimedCase | CountedCase;

/** Its figure is nanoseconds per unit. */
export interface TimedCase {
  /** What is measured. Unique in the suite. */
  readonly id: string;
  /** Loads what the case needs. Called only in the process that measures the case. */
  load(): Promise<Work>;
}

export interface Work {
  /** How many units (items, characters) a run reads. */
  readonly units: number;
  /** Called before each run. Its time does not count. */
  readonly prepare?: () => void;
  readonly run: () => unknown;
}

/** Its figure is a count, such as bytes. It runs once per round. */
export interface CountedCase {
  readonly id: string;
  /** Called only in the process that measures the case. `gc()` is available. */
  count(): Promise<number>;
}

/** The names in a record, in order. */
export function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(record) as Name[];
}

/** Cases whose figures are compared. They take turns, so a change in the machine's speed affects them all alike. */
export type Group = readonly Case[];

/** All cases of a suite. Groups that share a case are one. */
export function groupsOf({ parts }: Suite): readonly Group[] {
  const groups = new Map<string, Map<string, Case>>();
  for (const cases of parts.flatMap(figuresOf).flatMap((figure) => figure.groups)) {
    const joined = new Map(cases.flatMap((it) => [...(groups.get(it.id) ?? [[it.id, it] as const])]));
    for (const id of joined.keys()) groups.set(id, joined);
  }
  return [...new Set(groups.values())].map((group) => [...group.values()]);
}

/** The ids of the cases that run in three processes per round. */
export function decisiveIds({ parts }: Suite): ReadonlySet<string> {
  const figures = parts.filter(({ decisive }) => decisive).flatMap(figuresOf);
  const cases = figures.flatMap(({ groups }) => groups.flat());
  return new Set(cases.filter((it) => "load" in it).map(({ id }) => id));
}

function figuresOf({ text, rows }: Part): readonly Figure[] {
  const cells = [...(typeof text === "string" ? [] : text), ...rows.flat()];
  return cells.filter((cell) => typeof cell !== "string");
}
