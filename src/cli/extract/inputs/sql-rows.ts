import { fieldOf, textFieldOf } from "../../../text/thrown.js";
import { messageOf } from "../../../text/excerpt.js";
import { UsageError } from "../../terminal/usage-error.js";
import { databaseError, isPostgres, type PostgresClient, postgresClient } from "../postgres.js";
import { type InputSource, rowDocument } from "./document.js";
import { exactNumbers } from "./exact-numbers.js";

type Row = Readonly<Record<string, unknown>>;

/** The part of `node:sqlite` that is used. */
interface Sqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(text: string): { setReadBigInts(enabled: boolean): void; iterate(): Iterable<Row> };
    close(): void;
  };
}

/**
 * Each row of a query is a document.
 *
 * @param database `postgres://…`, or the file of an SQLite database
 */
export function sqlRows(query: string, database: string, idColumn: string | undefined): InputSource {
  const select = query.trim().replace(/;\s*$/, "");
  const rows = isPostgres(database) ? postgresRows : sqliteRows;
  return {
    hasColumns: true,
    async *documents() {
      let number = 0;
      for await (const row of rows(select, database)) yield rowDocument(row, `row ${++number}`, idColumn);
    },
    async count() {
      for await (const row of rows(`SELECT count(*) AS count FROM (${select}\n) AS documents`, database)) {
        return Number(row["count"]);
      }
      return 0;
    },
  };
}

/** Reads the rows in pieces, by a cursor that outlives its transaction, as a batch may take days. */
async function* postgresRows(query: string, database: string): AsyncGenerator<Row, void, undefined> {
  const client = await postgresClient(database);
  keepCellsExact(client);
  client.on("error", () => undefined); // the next query reports it
  const run = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      throw queryError(cause);
    }
  };
  try {
    await run(client.connect());
    await run(client.query(`BEGIN READ ONLY`));
    const text = `DECLARE millrace_documents NO SCROLL CURSOR WITH HOLD FOR ${query}`;
    await run(client.query({ text, queryMode: "extended" })); // fails for several statements
    await run(client.query("COMMIT"));
    for (;;) {
      const { rows } = await run(client.query(`FETCH ${fetched} FROM millrace_documents`));
      yield* rows;
      if (rows.length < fetched) return;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

const fetched = 100;

/**
 * By default `pg` makes dates of the local time zone, so that the same row differs between machines, and changes long
 * numbers in JSON.
 */
function keepCellsExact(client: PostgresClient): void {
  for (const type of dates) client.setTypeParser(type, (text) => text);
  for (const type of arraysOfDates) client.setTypeParser(type, client.getTypeParser(arrayOfTexts));
  for (const type of jsonTypes) client.setTypeParser(type, (text) => JSON.parse(exactNumbers(text)));
}

/** `date`, `timestamp` and `timestamptz` in the table `pg_type`. */
const dates = [1082, 1114, 1184];
const arraysOfDates = [1182, 1115, 1185];
const arrayOfTexts = 1009;
/** `json` and `jsonb` */
const jsonTypes = [114, 3802];

function* sqliteRows(query: string, path: string): Generator<Row, void, undefined> {
  const { DatabaseSync } = sqlite();
  let database;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.prepare(`SELECT * FROM (${query}\n)`); // fails for several statements: prepare() takes the first one only
    const statement = database.prepare(query);
    statement.setReadBigInts(true);
    for (const row of statement.iterate()) {
      yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, withoutBigInt(value)]));
    }
  } catch (cause) {
    throw queryError(cause);
  } finally {
    database?.close();
  }
}

/** An integer that is too large for a number is its digits, as in PostgreSQL. */
function withoutBigInt(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
}

/** Class 42 of PostgreSQL is an error in the query, such as an unknown table. */
function queryError(cause: unknown): Error {
  const isWrong = /^42...$/.test(textFieldOf(cause, "code")) || wrongInSqlite.has(fieldOf(cause, "errcode"));
  return isWrong ? new UsageError(`--sql and --db: ${messageOf(cause)}.`, { cause }) : databaseError(cause);
}

/** An error in the query, a file that cannot be opened, and a file of something else. */
const wrongInSqlite: ReadonlySet<unknown> = new Set([1, 14, 26]);

function sqlite(): Sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined; // Node 22 calls its SQLite experimental
  const module = process.getBuiltinModule("node:sqlite" as string); // not in the types of Node 20
  process.emitWarning = emitWarning;
  if (module !== undefined) return module as Sqlite;
  throw new UsageError(
    "--db with a file needs node:sqlite, which Node has from version 22.13 on. " +
      "Update Node, or use postgres://… or a CSV file.",
  );
}
