/** A document to extract an object from, or why it cannot be read. */
export interface InputDocument {
  /** Where it is: a file, a file and a line, or a row of a query. */
  readonly place: string;
  /** The name of the file, or the value of the column of `--id`. Otherwise the content decides. */
  readonly id: string | undefined;
  /** The text of the file, or the row as JSON. */
  readonly text: string;
  /** The columns of a row, as texts. */
  readonly columns: Readonly<Record<string, string>>;
  /** Why it cannot be read. A sentence. */
  readonly problem?: string | undefined;
}

/** Several documents. */
export interface InputSource {
  /** Whether its documents may be rows. */
  readonly hasColumns: boolean;
  /** May be iterated more than once. */
  documents(): AsyncIterable<InputDocument>;
  /** The number of documents. Reads as little as possible. */
  count(): Promise<number>;
}

export async function countOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _item of items) count++;
  return count;
}

/** The maximum size of a text file or a row, in bytes. */
export const maxDocument = 10_000_000;

export function unreadable(place: string, id: string | undefined, problem: string): InputDocument {
  return { place, id, text: "", columns: {}, problem };
}

/** Makes a document of a row. */
export function rowDocument(
  row: Readonly<Record<string, unknown>>,
  place: string,
  idColumn: string | undefined,
): InputDocument {
  const columns: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(row)) {
    if (hasBytes(value)) {
      return unreadable(
        place,
        undefined,
        `has bytes in the column "${name}". Leave it out of the query, or select it as text, such as ` +
          `encode(${name}, 'base64') in PostgreSQL or hex(${name}) in SQLite.`,
      );
    }
    columns[name] = textOfCell(value);
  }
  const text = JSON.stringify(row);
  if (idColumn === undefined) return { place, id: undefined, text, columns };
  const id = columns[idColumn];
  const problem =
    id === undefined
      ? `has no column "${idColumn}" (--id). Its columns are ${columnNames(columns)}.`
      : id === ""
        ? `has no value in the column "${idColumn}" (--id).`
        : undefined;
  return { place, id: id === "" ? undefined : id, text, columns, problem };
}

/** A BLOB of SQLite, or a `bytea` or `bytea[]` of PostgreSQL. */
function hasBytes(value: unknown): boolean {
  return value instanceof Uint8Array || (Array.isArray(value) && value.some(hasBytes));
}

/** The names of the columns, for an error. */
export function columnNames(columns: InputDocument["columns"]): string {
  const names = Object.keys(columns);
  return names.slice(0, 10).join(", ") + (names.length > 10 ? ", …" : "");
}

function textOfCell(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return JSON.stringify(value);
}
