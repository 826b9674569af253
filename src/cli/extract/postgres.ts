import { isInstance } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";
import { InputError } from "../terminal/input-error.js";
import { UsageError } from "../terminal/usage-error.js";

/** The part of a client of the package `pg` that is used. */
export interface PostgresClient {
  connect(): Promise<unknown>;
  query(
    query: string | { readonly text: string; readonly queryMode: "extended" },
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  end(): Promise<void>;
  getTypeParser(type: number): (text: string) => unknown;
  setTypeParser(type: number, parse: (text: string) => unknown): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: { readonly payload?: string }) => void): unknown;
}

export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}

/** @throws {UsageError} if it is not the address of a PostgreSQL database */
export function checkPostgres(database: string): void {
  if (isPostgres(database)) return;
  throw new UsageError(`--db must be a postgres:// URL, but is ${JSON.stringify(database)}.`);
}

/** @throws {UsageError} if the package is not installed */
export async function postgresClient(database: string): Promise<PostgresClient> {
  let pg: { readonly default: { readonly Client: new (options: object) => object } };
  try {
    pg = await import("pg");
  } catch (cause) {
    throw new UsageError('--db needs the package "pg" for PostgreSQL. Install it: npm install pg.', {
      cause,
    });
  }
  return new pg.default.Client({ connectionString: database, keepAlive: true }) as PostgresClient;
}

export function databaseError(cause: unknown): Error {
  if (isInstance(cause, UsageError)) return cause;
  return new InputError(
    "database",
    `The database failed: ${messageOf(cause)}. Nothing is lost: run the same command again to continue.`,
    { cause },
  );
}
