/** The texts in ../shared/corpora; its README describes them. They are not part of the repository. */
import { existsSync, readFileSync } from "node:fs";
import type { JsonSchema } from "../../src/schema/index.js";

const folder = "../shared/corpora";

export const missingCorpora: string | undefined = existsSync(folder) ? undefined : `${folder} is missing.`;

/** A text of a repair suite. The suite expects a value, or an error if it has no value. */
export interface RepairRow {
  readonly id: string;
  readonly corpus: string;
  readonly input: string;
  readonly value?: unknown;
  readonly schema?: JsonSchema;
  readonly allow?: number;
}

/** The answer of a model to a question with functions to call. */
export interface AnswerRow {
  readonly id: string;
  readonly model: string;
  readonly dialect: "hermes" | "granite" | "json" | "python";
  readonly text: string;
  readonly question: Question;
}

export interface Question {
  readonly id: string;
  readonly functions: readonly { readonly name: string; readonly parameters: JsonSchema }[];
  /** The values that count as right. `""` marks a parameter that may be left out. */
  readonly possible: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
}

export function repairRows(): readonly RepairRow[] {
  return numbered(
    lines<RepairRow & { readonly name: string }>("repair"),
    ({ corpus, name }) => `${corpus}: ${name}`,
  );
}

export function answerRows(): readonly AnswerRow[] {
  const questions = new Map(lines<Question>("questions").map((it) => [it.id, it]));
  return lines<AnswerRow>("answers").map((row) => ({
    ...row,
    id: `${row.model}: ${row.id}`,
    question: questions.get(row.id) as Question,
  }));
}

/** A text from a public report about a library that reads the answers of models. */
export interface ReportRow {
  readonly id: string;
  readonly family: string;
  readonly name: string;
  readonly text: string;
  readonly schema?: JsonSchema;
  readonly dialect?: "auto" | "hermes";
  /** The value, or `{anyOf}` several of them. `{$err}` stands for an error. */
  readonly expected: unknown;
}

export function reportRows(): readonly ReportRow[] {
  return numbered(lines<ReportRow>("reports"), ({ family, name }) => `${family}: ${name}`);
}

/** Whether the text leaves brackets open, and does not end with a bracket. */
export function isTruncated({ input }: RepairRow): boolean {
  const bare = input.replaceAll(/"(?:[^"\\]|\\.)*"/gs, "");
  const count = (brackets: RegExp): number => bare.match(brackets)?.length ?? 0;
  return !/[\]}][\s`;),]*$/.test(input) && count(/[[{]/g) > count(/[\]}]/g);
}

/** Whether the text is an array or an object, at least by its first character. */
export function isContainer({ input, value }: RepairRow): boolean {
  return value === undefined ? /^\s*[[{]/.test(input) : typeof value === "object" && value !== null;
}

/** Names that repeat get a number. */
function numbered<Row extends object>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): (Row & { id: string })[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const name = nameOf(row);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...row, id: count === 1 ? name : `${name} #${count}` };
  });
}

/** `{"$num": "NaN"}` is a number that JSON lacks. */
function lines<Row>(name: string): Row[] {
  const revive = (_: string, it: unknown): unknown =>
    typeof it === "object" && it !== null && "$num" in it ? Number(it.$num) : it;
  const text = readFileSync(`${folder}/${name}.jsonl`, "utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line, revive) as Row);
}
