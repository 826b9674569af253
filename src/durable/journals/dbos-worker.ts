import { report } from "../../serve/report.js";
import { systemClock } from "../../stream/time/clock.js";
import { milliseconds } from "../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { quoted } from "../../text/cut.js";
import { DurableError } from "../errors.js";

/** The part of the class `DBOS` that `dbosWorker()` uses. */
export interface DbosWorkflows {
  isInitialized(): boolean;
  listWorkflows(filter: {
    status: "PENDING";
    loadInput: false;
    loadOutput: false;
  }): Promise<readonly { readonly executorId?: string }[]>;
}

/** The part of a `Client` of the package `pg` that `dbosWorker()` uses. */
export interface PostgresConnection {
  query(text: string, values: string[]): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: "error", listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

/** The options of `dbosWorker()`. */
export interface DbosWorkerOptions {
  /** The id of this worker: the `executorID` of `DBOS.setConfig()`. A random one for each process is best. */
  readonly id: string;
  /** Opens a connection to the database of DBOS. The worker uses it alone, and closes it. */
  readonly connect: () => Promise<PostgresConnection>;
  /**
   * Takes over the workflows of dead workers: `(ids) => getExecutor().recoverPendingWorkflows(ids)`. `getExecutor` is
   * in `@dbos-inc/dbos-sdk/internal/dbos`.
   */
  readonly recover: (ids: string[]) => Promise<unknown>;
  /** Milliseconds between two looks for dead workers. Default: 1,000. */
  readonly interval?: number;
  /** Receives errors of the connection and of recoveries. The worker tries again. Default: ignored. */
  readonly onError?: (error: unknown) => void;
}

const optionNames = {
  id: true,
  connect: true,
  recover: true,
  interval: true,
  onError: true,
} satisfies OptionNames<DbosWorkerOptions>;

/** A worker that is known to live. */
export interface DbosWorker {
  /** Lets others take over the workflows of this worker. Call it after `DBOS.shutdown()`. */
  close(): Promise<void>;
}

/**
 * Lets DBOS workers take over each other's workflows when one dies. DBOS itself recovers them only when a worker with
 * the same `executorID` starts. Call it before `DBOS.launch()`, and with a fixed `applicationVersion`, because a
 * worker recovers workflows of its own version only.
 *
 * A worker holds an advisory lock of PostgreSQL on a connection of its own. PostgreSQL releases it when the connection
 * ends, however the process dies. A worker that sleeps keeps it. A machine that is lost without a word keeps it until
 * TCP notices: set `keepalives` of the server. A worker whose lock is free in five looks in a row is dead: one that has
 * only lost its connection, as when PostgreSQL restarts, has connected again by then.
 *
 * @throws {DurableError} `owned` if another process has this id
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts no-run
 * import { randomUUID } from "node:crypto";
 * import { DBOS } from "@dbos-inc/dbos-sdk";
 * import { getExecutor } from "@dbos-inc/dbos-sdk/internal/dbos";
 * import { dbosWorker } from "millrace/durable";
 * import pg from "pg";
 *
 * const url = process.env["DATABASE_URL"]!;
 * const id = randomUUID();
 * const worker = await dbosWorker(DBOS, {
 *   id,
 *   async connect() {
 *     const client = new pg.Client(url);
 *     await client.connect();
 *     return client;
 *   },
 *   recover: (ids) => getExecutor().recoverPendingWorkflows(ids),
 * });
 * DBOS.setConfig({ name: "app", systemDatabaseUrl: url, executorID: id, applicationVersion: "1" });
 * await DBOS.launch();
 * ```
 */
export async function dbosWorker(dbos: DbosWorkflows, options: DbosWorkerOptions): Promise<DbosWorker> {
  checkOptions("dbosWorker()", options, optionNames);
  const { id, connect, recover, onError } = options;
  const interval = milliseconds("interval of dbosWorker", options.interval ?? 1_000);
  let connection: PostgresConnection | undefined;
  /** How many looks of this connection in a row found the lock of a worker free. */
  let free = new Map<string, number>();
  let timer: unknown;
  let looking: Promise<void> = Promise.resolve();
  let closed = false;

  /** The connection that holds the lock of this worker. */
  const connected = async (): Promise<PostgresConnection> => {
    if (connection !== undefined) return connection;
    const opened = await connect();
    opened.on("error", (error) => {
      if (connection === opened) connection = undefined;
      report(onError, error);
    });
    try {
      if (!(await tryLock(opened, id))) {
        const problem = `Another process is the worker ${quoted(id)}. Give each worker its own id.`;
        throw new DurableError("owned", problem);
      }
    } catch (error) {
      await opened.end();
      throw error;
    }
    free = new Map();
    return (connection = opened);
  };
  const look = async (): Promise<void> => {
    if (!dbos.isInitialized()) return;
    const locking = await connected();
    const pending = await dbos.listWorkflows({ status: "PENDING", loadInput: false, loadOutput: false });
    const before = free;
    free = new Map();
    const others = new Set(pending.map(({ executorId }) => executorId));
    for (const other of others) {
      if (other === undefined || other === id) continue;
      // While this worker has the lock, nobody else can recover the other one.
      if (!(await tryLock(locking, other))) continue;
      const looks = (before.get(other) ?? 0) + 1;
      free.set(other, looks);
      try {
        if (looks >= looksUntilDead) await recover([other]);
      } finally {
        await locking.query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [lockName(other)]);
      }
    }
  };
  const plan = (): void => {
    if (closed) return;
    timer = systemClock.setTimeout(() => {
      looking = look()
        .catch((error: unknown) => {
          report(onError, error);
        })
        .finally(plan);
    }, interval);
  };

  await connected();
  plan();
  return {
    async close() {
      closed = true;
      systemClock.clearTimeout(timer);
      await looking;
      await connection?.end();
    },
  };
}

/** After a restart of PostgreSQL, a living worker takes its lock again within a look, but others may look before it. */
const looksUntilDead = 5;

async function tryLock(connection: PostgresConnection, id: string): Promise<boolean> {
  const text = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked";
  const { rows } = await connection.query(text, [lockName(id)]);
  return (rows[0] as { readonly locked: boolean }).locked;
}

function lockName(id: string): string {
  return `millrace worker ${id}`;
}
