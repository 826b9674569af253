/**
 * `npm run compare:accuracy` compares how libraries read the texts of repair suites and of models in ../shared/corpora.
 *
 * --only TEXT  only texts whose name contains this
 * --list       also prints each text that millrace reads differently
 * --write      also writes docs/internals/benchmarks/accuracy.md; only for complete runs
 */
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { pieces } from "../test/support/pieces.js";
import { randomOf } from "../test/support/random.js";
import { table } from "../scripts/markdown-table.js";
import { type Outcome, outcomeOf, outcomeOfAnswer, type Reading } from "./accuracy/compare.js";
import {
  answerRows,
  isContainer,
  isTruncated,
  missingCorpora,
  repairRows,
  reportRows,
} from "./accuracy/corpora.js";
import { type AccuracyReader, loadReaders } from "./accuracy/readers.js";
import { readReport, outcomeOfReport } from "./accuracy/reports.js";
import { reasons } from "./accuracy/reasons.js";
import { refuse, scriptOptions } from "../scripts/script-arguments.js";

const { only, list, write } = scriptOptions({
  only: { type: "string", default: "" },
  list: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
});
if (write && (only !== "" || list)) refuse("--write needs a complete run, without --only or --list.");
if (missingCorpora !== undefined) refuse(missingCorpora);

/** A text and what each reader made of it. */
interface Tried {
  readonly id: string;
  readonly text: string;
  readonly expected: unknown;
  readonly part: string;
  readonly row: string;
  readonly readings: readonly Reading[];
  readonly outcomes: readonly Outcome[];
  /** What millrace reads in a stream of one chunk. Default: the first reading. */
  readonly inOneChunk?: Reading;
}

const kinds = ["equal", "error", "different"] as const;

const whole = `## Repair suites

Arrays and objects, not truncated, from the suites of other libraries. In each cell: equal / error / different, and in the
last row percent. The goal: at least 88 % equal and at most 5 % different, where at most 3 % are listed with a reason.`;
const scalars = `## Values without brackets

Other texts of the suites: strings, numbers, and texts that are no JSON.`;
const truncated = `## Truncated texts

Texts that end inside an array or object. millrace refuses them by default, and reads them here with \`onTruncated: "keep"\`.`;
const aliases = `## Aliases

The suite expects aliases of names, which these rows do not have.`;
const reports = `## Public reports

Texts from reports about repair libraries, frameworks and servers, by what reads them. Other libraries read JSON only, and
are not listed. \`in pieces\` is a stream: it ends with an error at a document at the start of the text that does not fit
the schema, where \`parse()\` reads the next one.`;
const answers = `## Answers of models

Answers to a question with functions to call, compared as the Berkeley Function Calling Leaderboard does. \`different\`
includes answers in which the model chose a wrong value. Other libraries get the text without the tags of its dialect.`;

const readers = await loadReaders(randomOf(11));
const tried = [...(await repairs()), ...(await reported()), ...(await answered())];
const sections = [whole, scalars, truncated, aliases, reports, answers].map(section);
const differences = list ? tried.filter((it) => it.outcomes[0] !== "equal").map(listed) : [];
const parts = ["# npm run compare:accuracy", ...sections, pieceFaults(), ...differences];
const report = parts.filter((it) => it !== "").join("\n\n");
console.log(report);
if (write) writeFileSync("docs/internals/benchmarks/accuracy.md", `${report}\n`);

async function repairs(): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const row of repairRows().filter(({ id }) => id.includes(only))) {
    const { id, input: text, value: expected, corpus } = row;
    const cut = isTruncated(row);
    const readings = await readAll((reader) => reader.repair(row, cut));
    const part = corpus === "baml-alias" ? aliases : cut ? truncated : isContainer(row) ? whole : scalars;
    const outcomes = readings.map((it) => outcomeOf(row, it));
    tried.push({ id, text, expected, part, row: corpus, readings, outcomes });
  }
  return tried;
}

async function reported(): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const row of reportRows().filter(({ id }) => id.includes(only))) {
    const { id, text, expected, family } = row;
    const whole = await readingOf(() => readReport(row, [text]));
    const inOneChunk = await readingOf(() => readReport(row, [text, ""]));
    const readings = [whole, await readingOf(() => readReport(row, [...pieces(text, () => 1)]))];
    const outcomes = readings.map((it) => outcomeOfReport(row, it));
    tried.push({ id, text, expected, part: reports, row: family, readings, outcomes, inOneChunk });
  }
  return tried;
}

async function answered(): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const row of answerRows().filter(({ id }) => id.includes(only))) {
    const { id, text, dialect, model } = row;
    const readings = await readAll((reader) => reader.answer(row));
    const outcomes = readings.map((it) => outcomeOfAnswer(row, it));
    const name = `${dialect}, ${model.replace(/^[^_]*_/, "")}`;
    const expected = row.question.possible;
    tried.push({ id, text, expected, part: answers, row: name, readings, outcomes });
  }
  return tried;
}

async function readAll(read: (reader: AccuracyReader) => unknown): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const reader of readers) readings.push(await readingOf(() => read(reader)));
  return readings;
}

async function readingOf(read: () => unknown): Promise<Reading> {
  try {
    return { value: await read() };
  } catch (error) {
    return { error };
  }
}

function section(text: string): string {
  const all = tried.filter(({ part }) => part === text);
  if (all.length === 0) return "";
  const columns = readers.slice(0, all[0]?.outcomes.length);
  const names = [...new Set(all.map(({ row }) => row))];
  const counts = (rows: readonly Tried[], reader: number): readonly number[] =>
    kinds.map((it) => rows.filter((row) => row.outcomes[reader] === it).length);
  const lines = names.map((name) => {
    const rows = all.filter(({ row }) => row === name);
    return [name, String(rows.length), ...columns.map((_, i) => counts(rows, i).join(" / "))];
  });
  const percent = (count: number): string => ((count / all.length) * 100).toFixed(1);
  const percents = columns.map((_, i) => counts(all, i).map(percent).join(" / "));
  const excused = all.filter((it) => it.outcomes[0] !== "equal" && reasons[it.id] !== undefined);
  const because = excused.map(({ id }) => `- \`${id}\`: ${String(reasons[id])}`).join("\n");
  const note = `Read otherwise for a reason: ${excused.length} (${percent(excused.length)} %).\n\n${because}`;
  const head = ["", "texts", ...columns.map(({ name }) => name)];
  const shown = table(head, [...lines, ["all, %", "", ...percents]]);
  return [text, shown, excused.length === 0 ? "" : note].filter((it) => it !== "").join("\n\n");
}

/** Cutting a text must not change the reading. */
function pieceFaults(): string {
  const faults = tried.filter(
    ({ readings: [whole, inPieces], inOneChunk = whole }) =>
      !isDeepStrictEqual(shownOf(inOneChunk), shownOf(inPieces)),
  );
  const names = faults.slice(0, 20).map(({ id }) => `- \`${id}\``);
  const count = `Texts that are read differently in pieces: ${faults.length} of ${tried.length}.`;
  return [count, ...names].join("\n");
}

/** A value, or the message of an error. */
function shownOf(reading: Reading | undefined): unknown {
  if (reading === undefined || "value" in reading) return reading?.value;
  return reading.error instanceof Error ? reading.error.message : String(reading.error);
}

function listed({ id, text, expected, readings: [reading], outcomes: [outcome] }: Tried): string {
  const wanted = expected === undefined ? "an error" : JSON.stringify(expected);
  return `${String(outcome)}: ${id}\n  text: ${JSON.stringify(text)}\n  want: ${wanted}\n  read: ${JSON.stringify(shownOf(reading))}`;
}
