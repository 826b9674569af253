import { UsageError } from "../../terminal/usage-error.js";
import { databaseError, isPostgres, postgresClient } from "../postgres.js";
import { type InputSource, rowDocument } from "./document.js";

type Row = Readonly<Record<string, unknown>>;

/** The part of `node:sqlite` that is used. */
interface Sqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(text: string): { iterate(): Iterable<Row> };
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
    async *documents() {
      let number = 0;
      for await (const row of rows(select, database)) yield rowDocument(row, `row ${++number}`, idColumn);
    },
    async count() {
      for await (const row of rows(`SELECT count(*) AS count FROM (${select}) AS documents`, database)) {
        return Number(row["count"]);
      }
      return 0;
    },
  };
}

/** Reads the rows in pieces, by a cursor that outlives its transaction, as a batch may take days. */
async function* postgresRows(query: string, database: string): AsyncGenerator<Row, void, undefined> {
  const client = await postgresClient(database);
  client.on("error", () => undefined); // the next query reports it
  const run = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      throw databaseError(cause);
    }
  };
  try {
    await run(client.connect());
    await run(client.query(`BEGIN READ ONLY`));
    await run(client.query(`DECLARE millrace_documents NO SCROLL CURSOR WITH HOLD FOR ${query}`));
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

async function* sqliteRows(query: string, path: string): AsyncGenerator<Row, void, undefined> {
  const { DatabaseSync } = await sqlite();
  let database;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    yield* database.prepare(query).iterate();
  } catch (cause) {
    throw databaseError(cause);
  } finally {
    database?.close();
  }
}

async function sqlite(): Promise<Sqlite> {
  const name = "node:sqlite"; // not in the types of Node 20
  try {
    return (await import(name)) as Sqlite;
  } catch (cause) {
    throw new UsageError(
      "--db with a file needs node:sqlite, which Node has from version 22.13 on. " +
        "Update Node, or use postgres://… or a CSV file.",
      { cause },
    );
  }
}
