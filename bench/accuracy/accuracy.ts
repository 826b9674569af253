/** How accurately libraries read what models and people wrote. Nothing is timed, so it has no rounds. */
import { isDeepStrictEqual } from "node:util";
import { randomOf } from "../random.js";
import { table } from "../report.js";
import { type Outcome, outcomeOf, outcomeOfAnswer, type Reading } from "./compare.js";
import { answerRows, isContainer, isTruncated, missingCorpora, repairRows } from "./corpora.js";
import { type AccuracyReader, loadReaders } from "./readers.js";
import { reasons } from "./reasons.js";

interface AccuracyOptions {
  /** Only texts whose names contain this. */
  readonly only: string;
  /** Only every fiftieth text. */
  readonly smoke: boolean;
  /** Show each text that the first reader reads differently. */
  readonly list: boolean;
}

/** A text and what each reader made of it. */
interface Tried {
  readonly id: string;
  readonly text: string;
  readonly expected: unknown;
  readonly part: string;
  readonly row: string;
  readonly readings: readonly Reading[];
  readonly outcomes: readonly Outcome[];
}

const outcomes = ["equal", "error", "different"] as const;

/** The report in Markdown. */
export async function accuracyReport({ only, smoke, list }: AccuracyOptions): Promise<string> {
  if (missingCorpora !== undefined) return missingCorpora;
  const readers = await loadReaders(randomOf(11));
  const isChosen = ({ id }: { readonly id: string }, index: number): boolean =>
    id.includes(only) && (!smoke || index % 50 === 0);
  const tried: Tried[] = [];
  for (const row of repairRows().filter(isChosen)) {
    const cut = isTruncated(row);
    const readings = await readAll(readers, (reader) => reader.repair(row, cut));
    const part = row.corpus === "baml-alias" ? aliases : cut ? truncated : isContainer(row) ? whole : scalars;
    const found = readings.map((it) => outcomeOf(row, it));
    const { id, input: text, value: expected, corpus } = row;
    tried.push({ id, text, expected, part, row: corpus, readings, outcomes: found });
  }
  for (const row of answerRows().filter(isChosen)) {
    const readings = await readAll(readers, (reader) => reader.answer(row));
    const found = readings.map((it) => outcomeOfAnswer(row, it));
    const { id, text, question, dialect, model } = row;
    const name = `${dialect}, ${model.replace(/^[^_]*_/, "")}`;
    tried.push({
      id,
      text,
      expected: question.possible,
      part: answers,
      row: name,
      readings,
      outcomes: found,
    });
  }
  const parts = [whole, scalars, truncated, aliases, answers];
  const sections = parts.map((part) =>
    section(
      part,
      readers,
      tried.filter((it) => it.part === part),
    ),
  );
  const shown = list ? tried.filter((it) => it.outcomes[0] !== "equal").map(listed) : [];
  return [...sections, pieceFault(tried), ...shown].filter((it) => it !== "").join("\n\n");
}

const whole = `## Repair suites

Arrays and objects, not truncated, from the suites of other libraries. In each cell: equal / error / different, and in the
last row percent. The goal: at least 88 % equal and at most 5 % different, where at most 3 % are listed with a reason.`;
const scalars = `## Values without brackets

Other texts of the suites: strings, numbers, and texts that are no JSON.`;
const truncated = `## Truncated texts

Texts that end inside an array or object. millrace refuses them by default, and reads them here with \`onTruncated: "keep"\`.`;
const aliases = `## Aliases

The suite expects aliases of names, which these rows do not have.`;
const answers = `## Answers of models

Answers to a question with functions to call, compared as the Berkeley Function Calling Leaderboard does. \`different\`
includes answers in which the model chose a wrong value. Other libraries get the text without the tags of its dialect.`;

async function readAll(
  readers: readonly AccuracyReader[],
  read: (reader: AccuracyReader) => unknown,
): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const reader of readers) {
    try {
      readings.push({ value: await read(reader) });
    } catch (error) {
      readings.push({ error });
    }
  }
  return readings;
}

function section(text: string, readers: readonly AccuracyReader[], tried: readonly Tried[]): string {
  if (tried.length === 0) return "";
  const names = [...new Set(tried.map(({ row }) => row))];
  const counts = (rows: readonly Tried[], reader: number): readonly number[] =>
    outcomes.map((it) => rows.filter((row) => row.outcomes[reader] === it).length);
  const lines = names.map((name) => {
    const rows = tried.filter(({ row }) => row === name);
    return [name, String(rows.length), ...readers.map((_, i) => counts(rows, i).join(" / "))];
  });
  const percent = (count: number): string => ((count / tried.length) * 100).toFixed(1);
  const all = readers.map((_, i) => counts(tried, i).map(percent).join(" / "));
  const excused = tried.filter((it) => it.outcomes[0] !== "equal" && reasons[it.id] !== undefined);
  const because = excused.map(({ id }) => `- \`${id}\`: ${String(reasons[id])}`).join("\n");
  const note = `Read otherwise for a reason: ${excused.length} (${percent(excused.length)} %).\n\n${because}`;
  const shown = table(["", "texts", ...readers.map(({ name }) => name)], [...lines, ["all, %", "", ...all]]);
  return [text, shown, excused.length === 0 ? "" : note].filter((it) => it !== "").join("\n\n");
}

/** Cutting a text must not change the reading. */
function pieceFault(tried: readonly Tried[]): string {
  const faults = tried.filter(({ readings: [a, b] }) => !isDeepStrictEqual(shownOf(a), shownOf(b)));
  const names = faults.slice(0, 20).map(({ id }) => `- \`${id}\``);
  return [`Texts that are read differently in pieces: ${faults.length} of ${tried.length}.`, ...names].join(
    "\n",
  );
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
