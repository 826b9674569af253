import { pipe } from "../../../stream/pipe.js";
import { counted } from "../../../text/counts.js";
import { openFile } from "../../commands/open-file.js";
import { readText } from "../../commands/read-text.js";
import { InputError } from "../../terminal/input-error.js";
import { type CsvRow, csvCells } from "./csv-cells.js";
import { countOf, type InputSource, rowDocument, unreadable } from "./document.js";

/** Each row of a CSV file is a document. The first row has the names of the columns. */
export function csvRows(
  path: string,
  idColumn: string | undefined,
  delimiter: string | undefined,
): InputSource {
  async function* rows(): AsyncGenerator<CsvRow, void, undefined> {
    const separator = delimiter ?? (await delimiterOf(path));
    yield* pipe(await openFile(path), readText(), csvCells(path, separator));
  }
  return {
    hasColumns: true,
    async *documents() {
      let names: readonly string[] | undefined;
      for await (const { line, cells } of rows()) {
        if (names === undefined) {
          names = checkedNames(path, cells);
          continue;
        }
        const place = `${path}:${line}`;
        const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
        if (cells.length === names.length) yield rowDocument(row, place, idColumn);
        else {
          const problem = `has ${counted(cells.length, "cell")}, but the header has ${counted(names.length, "column")}.`;
          yield { ...unreadable(place, undefined, problem), text: JSON.stringify(cells) };
        }
      }
    },
    count: async () => Math.max((await countOf(rows())) - 1, 0),
  };
}

/** A tab for `.tsv`, otherwise the character that the first line has most of, outside of quotes. */
async function delimiterOf(path: string): Promise<string> {
  if (/\.tsv$/i.test(path)) return "\t";
  let beginning = "";
  for await (const text of pipe(await openFile(path), readText())) {
    beginning += text;
    if (/[\r\n]/.test(beginning) || beginning.length > 100_000) break;
  }
  const [header = ""] = beginning.split(/[\r\n]/, 1);
  const outside = header.replace(/"[^"]*"?/g, ""); // of quotes
  const counts = [",", ";", "\t"].map((each) => [outside.split(each).length, each] as const);
  return counts.reduce((most, next) => (next[0] > most[0] ? next : most))[1];
}

function checkedNames(path: string, names: readonly string[]): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return names;
  throw new InputError("not_csv", `${path}: two columns have the name "${twice}". Rename one of them.`);
}
