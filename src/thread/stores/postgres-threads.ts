import { textFieldOf } from "../../text/thrown.js";
import { sha256 } from "../../durable/sha256.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import {
  checkedThreads,
  type RowHead,
  rowHead,
  threadBoundNames,
  type ThreadBounds,
} from "./checked-threads.js";
import type { ThreadKey, ThreadStore } from "./thread-store.js";

/** The part of a `Pool` or `Client` of the package `pg` that is used. */
export interface PostgresQueries {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** The options of `postgresThreads()`. */
export interface PostgresThreadsOptions extends ThreadBounds {
  /** The name of the table, which is created when it is missing. Default: `millrace_threads`. */
  readonly table?: string;
}

const optionNames = { ...threadBoundNames, table: true } satisfies OptionNames<PostgresThreadsOptions>;

/**
 * Keeps threads in PostgreSQL (12 or later), one row each.
 *
 * @param pool a `Pool` of the package `pg`
 * @throws {TypeError} if the name of the table is not made of letters, digits and `_`, with a schema before a dot if needed
 * @throws {RangeError} if a limit is out of range
 *
 * @example
 * ```ts no-run
 * import { createAgent } from "millrace";
 * import { openai } from "millrace/openai";
 * import { postgresThreads, thread } from "millrace/thread";
 * import { Pool } from "pg";
 *
 * const pool = new Pool({ connectionString: process.env["DATABASE_URL"] });
 * pool.on("error", console.error); // without a listener, a lost connection ends the process
 * const store = postgresThreads(pool);
 * const agent = createAgent({ model: openai({ model: "gpt-6.1-terra" }) });
 * const chat = await thread(agent, { store, id: "1", owner: "ada" });
 * for await (const event of chat.stream("Hi")) console.log(event);
 * ```
 */
export function postgresThreads(pool: PostgresQueries, options: PostgresThreadsOptions = {}): ThreadStore {
  checkOptions("postgresThreads()", options, optionNames);
  const { table = "millrace_threads", ...bounds } = options;
  if (!/^(?:[A-Za-z_]\w{0,62}\.)?[A-Za-z_]\w{0,62}$/.test(table)) {
    throw new TypeError("The table of postgresThreads() has a plain name: letters, digits and _.");
  }
  let created: Promise<unknown> | undefined;
  // A user who may not create tables gets an error also for one that exists.
  const create = async (): Promise<unknown> => {
    const { rows } = await pool.query("select to_regclass($1) as found", [table]);
    return typeof rows[0]?.["found"] === "string" ? undefined : pool.query(tableText(table));
  };
  const query = async (
    text: string,
    ...values: unknown[]
  ): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    created ??= create().catch((error: unknown) => {
      // Two processes that create it at once.
      if (["23505", "42P07"].includes(textFieldOf(error, "code"))) return;
      created = undefined;
      throw error;
    });
    await created;
    return (await pool.query(text, values)).rows;
  };
  return checkedThreads(
    {
      async read(key) {
        const [row] = await query(`select * from ${table} where owner = $1 and id = $2`, ...columnsOf(key));
        return row && { ...headOf(row), version: String(row["version"]), text: String(row["record"]) };
      },
      async write(key, row, expected, { maxThreads, oldest }) {
        const [owner, id] = columnsOf(key);
        if (oldest > 0)
          await query(`delete from ${table} where owner = $1 and updated_at < $2`, owner, oldest);
        const { version, title, status, updatedAt, text } = row;
        const values = [owner, id, version, title, status, updatedAt, text];
        const written =
          expected === undefined
            ? await query(
                `insert into ${table} (owner, id, version, title, status, updated_at, record)
                 select $1, $2, $3, $4, $5, $6, $7 where (select count(*) from ${table} where owner = $1) < $8
                 on conflict do nothing returning id`,
                ...values,
                maxThreads,
              )
            : await query(
                `update ${table} set version = $3, title = $4, status = $5, updated_at = $6, record = $7
                 where owner = $1 and id = $2 and version = $8 returning id`,
                ...values,
                expected,
              );
        if (written.length > 0) return "saved";
        const [found] = await query(`select version from ${table} where owner = $1 and id = $2`, owner, id);
        // pg does not send a statement again, but a proxy may.
        if (found?.["version"] === version) return "saved";
        return expected === undefined && found === undefined ? "full" : "conflict";
      },
      async list(owner, { oldest, after, limit }) {
        const rows = await query(
          `select id, title, status, updated_at from ${table}
           where owner = $1 and updated_at >= $2 and (updated_at, id collate "C") < ($3, $4)
           order by updated_at desc, id collate "C" desc limit $5`,
          columnOf(owner),
          oldest,
          after.updatedAt,
          after.id,
          limit,
        );
        return rows.map((row) => ({ ...headOf(row), id: String(row["id"]) }));
      },
      remove: async (key) =>
        (await query(`delete from ${table} where owner = $1 and id = $2 returning id`, ...columnsOf(key)))
          .length > 0,
    },
    bounds,
  );
}

function tableText(table: string): string {
  return `create table if not exists ${table} (
    owner text not null, id text not null, version text not null, title text not null, status text not null,
    updated_at bigint not null, record text not null, primary key (owner, id))`;
}

function columnsOf({ owner, id }: ThreadKey): readonly [owner: string, id: string] {
  return [columnOf(owner), id];
}

/** An owner as it is, or its hash if PostgreSQL cannot keep it: with the character 0, or too long for an index. */
function columnOf(owner: string): string {
  if (owner.length <= 500 && !owner.includes("\0") && !owner.startsWith(hashed)) return owner;
  return hashed + sha256(owner, 64);
}

const hashed = "sha256:";

function headOf({ title, status, updated_at }: Readonly<Record<string, unknown>>): RowHead {
  return rowHead(title, status, updated_at);
}
