import type { FoundLimit } from "../../../object/extract/rate-limiter.js";
import { noop } from "../../../stream/core/result.js";
import { systemClock } from "../../../stream/time/clock.js";
import { sleep } from "../../../stream/time/sleep.js";
import { databaseError, type PostgresClient, postgresClient } from "../postgres.js";

/** A message to all workers: one of them has found the limit of the server of a run. */
export interface LimitMessage {
  readonly run: string;
  readonly found: FoundLimit;
}

export interface WorkersEvents {
  readonly onCount: (count: number) => void;
  readonly onMessage: (message: LimitMessage) => void;
}

/**
 * Counts the living workers, to share the limits of a provider among them. Each holds a shared advisory lock, which
 * PostgreSQL releases when the process dies, however it dies. So there is no table and no clock.
 */
export class LivingWorkers {
  private readonly database: string;
  private readonly events: WorkersEvents;
  private connection: PostgresClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private counting = false;

  private constructor(database: string, events: WorkersEvents) {
    this.database = database;
    this.events = events;
  }

  /** Joins the others. Resolves when all have counted this worker, so that the limits hold. */
  static async join(database: string, events: WorkersEvents, signal: AbortSignal): Promise<LivingWorkers> {
    const workers = new LivingWorkers(database, events);
    try {
      await workers.start(signal);
      return workers;
    } catch (error) {
      await workers.close();
      signal.throwIfAborted();
      throw databaseError(error);
    }
  }

  /** Tells all workers. This one takes no notice, as it has acted already. */
  notify(message: LimitMessage): void {
    // While the database is away, nobody works.
    void this.connection?.query("SELECT pg_notify($1, $2)", [channel, JSON.stringify(message)]).catch(noop);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.connection?.end();
  }

  private async start(signal: AbortSignal): Promise<void> {
    await this.connected();
    this.timer = setInterval(() => {
      // A count may take longer than the interval while the database hangs.
      if (this.counting) return;
      this.counting = true;
      // The last count stays while the database is away: there are no tasks either.
      void this.count()
        .catch(noop)
        .finally(() => (this.counting = false));
    }, interval);
    await sleep(interval * 3, systemClock, signal);
    await this.count();
  }

  private async count(): Promise<void> {
    const connection = await this.connected();
    const { rows } = await connection.query(
      `SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      lock,
    );
    this.events.onCount(Math.max(Number(rows[0]?.["count"]), 1));
  }

  /** The connection that holds the lock. */
  private async connected(): Promise<PostgresClient> {
    if (this.connection !== undefined) return this.connection;
    const connection = await postgresClient(this.database);
    connection.on("error", () => {
      if (this.connection === connection) this.connection = undefined;
    });
    connection.on("notification", ({ payload = "" }) => {
      const message = readMessage(payload);
      if (message !== undefined) this.events.onMessage(message);
    });
    try {
      await connection.connect();
      await connection.query("SELECT pg_advisory_lock_shared($1, $2)", lock);
      await connection.query(`LISTEN ${channel}`);
      return (this.connection = connection);
    } catch (error) {
      await connection.end().catch(noop);
      throw error;
    }
  }
}

/** Any program that is connected to the database can send a message. */
function readMessage(payload: string): LimitMessage | undefined {
  try {
    const message = JSON.parse(payload) as LimitMessage;
    const { pause, rate, limit, isConfirmed } = message.found;
    const isValid = [pause, rate, limit].every((it) => Number.isFinite(it) && it >= 0);
    return isValid && typeof isConfirmed === "boolean" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** "mill", "race" */
const lock = [0x6d696c6c, 0x72616365];
const channel = "millrace_extract";
const interval = 300;
