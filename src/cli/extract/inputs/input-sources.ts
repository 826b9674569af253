import { UsageError } from "../../terminal/usage-error.js";
import { csvRows } from "./csv-rows.js";
import type { InputSource } from "./document.js";
import { ndjsonRows } from "./ndjson-rows.js";
import { matchingFiles } from "./glob.js";
import { sqlRows } from "./sql-rows.js";
import { textFiles } from "./text-files.js";

export interface InputValues {
  readonly input: readonly string[];
  readonly sql?: string | undefined;
  readonly db?: string | undefined;
  readonly id?: string | undefined;
  readonly delimiter?: string | undefined;
}

/**
 * The sources that the arguments name.
 *
 * @throws {UsageError} if they name no source, or if options do not belong together
 */
export function inputSources({ input, sql, db, id, delimiter }: InputValues): InputSource[] {
  if (delimiter !== undefined && !/^[^"\r\n]$/.test(delimiter)) {
    throw new UsageError(
      `--delimiter must be one character, no quote and no line end, but is ${JSON.stringify(delimiter)}.`,
    );
  }
  if ((sql === undefined) !== (db === undefined)) {
    throw new UsageError(`--${sql === undefined ? "db needs --sql" : "sql needs --db"}.`);
  }
  const sources = input.map((pattern) => fileSource(pattern, id, delimiter));
  if (sql !== undefined && db !== undefined) sources.push(sqlRows(sql, db, id));
  if (sources.length === 0) throw new UsageError("Missing --input. Example: --input 'docs/**/*.txt'.");
  const hasTable = input.some((pattern) => table.test(pattern));
  if (delimiter !== undefined && !hasTable) throw new UsageError("--delimiter needs a .csv or .tsv --input.");
  if (id !== undefined && !hasTable && sql === undefined && !input.some((pattern) => ndjson.test(pattern))) {
    throw new UsageError("--id needs rows: an --input of .jsonl, .ndjson, .csv or .tsv files, or --sql.");
  }
  return sources;
}

const ndjson = /\.(?:jsonl|ndjson)$/i;
const table = /\.(?:csv|tsv)$/i;

function fileSource(pattern: string, id: string | undefined, delimiter: string | undefined): InputSource {
  const rows = ndjson.test(pattern)
    ? (path: string) => ndjsonRows(path, id)
    : table.test(pattern)
      ? (path: string) => csvRows(path, id, delimiter)
      : undefined;
  if (rows === undefined) return textFiles(pattern);
  return {
    hasColumns: true,
    async *documents() {
      for await (const path of matchingFiles(pattern)) yield* rows(path).documents();
    },
    async count() {
      let count = 0;
      for await (const path of matchingFiles(pattern)) count += await rows(path).count();
      return count;
    },
  };
}
