import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type LimitMessage, LivingWorkers } from "#src/cli/extract/tasks/workers.js";
import { Stop } from "#src/cli/terminal/stop.js";
import { launchDbos } from "#src/cli/extract/tasks/dbos.js";
import { describePostgres, PostgresServer } from "../../../durable/support/postgres.js";
import { run } from "../../harness.js";

describePostgres("millrace worker", () => {
  const server = new PostgresServer();
  let url: string;
  let client: pg.Client;
  beforeAll(async () => {
    await server.start();
    ({ url, client } = await server.newClient());
    await client.query("CREATE ROLE guest LOGIN");
  }, 60_000);
  afterEach(async () => {
    await client.query("SELECT pg_advisory_unlock_all()");
  });
  afterAll(async () => {
    await client.end();
    await server.close();
  });

  /** The connections that others have to the database. */
  async function connections(): Promise<number> {
    const { rowCount } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    return rowCount ?? 0;
  }

  const asGuest = (): string => url.replace("postgres@", "guest@");
  const fails = { code: 3, stderr: expect.stringContaining("The database failed") as string };

  test("without a database ends with its reason", async () => {
    expect(await run(["worker", "--db", "postgres://127.0.0.1:1/none"])).toMatchObject(fails);
  });

  test("that may not create the tables ends, and leaves no connection", async () => {
    expect(await run(["worker", "--db", asGuest()])).toMatchObject(fails);
    await vi.waitUntil(async () => (await connections()) === 0, { timeout: 30_000 });
  });

  test("whose lock is refused ends, and leaves no connection", async () => {
    await client.query("ALTER ROLE guest SET statement_timeout = 50");
    await client.query("SELECT pg_advisory_lock($1, $2)", [0x6d696c6c, 0x72616365]);
    expect(await run(["worker", "--db", asGuest()])).toMatchObject(fails);
    await vi.waitUntil(async () => (await connections()) === 0, { timeout: 30_000 });
  });

  test("learns the limit of a server that another one has found, and ignores other messages", async () => {
    const messages: LimitMessage[] = [];
    const signal = new AbortController().signal;
    const join = (onMessage: (it: LimitMessage) => void): Promise<LivingWorkers> =>
      LivingWorkers.join(url, { onCount: () => undefined, onMessage }, signal);
    const [one, other] = await Promise.all([join(() => undefined), join((it) => messages.push(it))]);
    for (const payload of ["", "{", "null", "1", '{"run": "a", "found": {"rate": "1"}}']) {
      await client.query("SELECT pg_notify('millrace_extract', $1)", [payload]);
    }
    const found = { pause: 10, rate: 0.5, limit: 0.6, isConfirmed: true };
    one.notify({ run: "a", found });
    await vi.waitUntil(() => messages.length > 0, { timeout: 30_000 });
    expect(messages).toEqual([{ run: "a", found }]);
    await Promise.all([one.close(), other.close()]);
  });

  test("opens no more than one connection while the database does not respond", async () => {
    const { hostname, port } = new URL(url);
    const sockets: Socket[] = [];
    const opened = (socket: Socket): Socket => {
      sockets.push(socket.on("error", () => undefined));
      return socket;
    };
    let hangs = false;
    let waiting = 0;
    const proxy = createServer((socket) => {
      opened(socket);
      if (hangs) waiting++;
      else socket.pipe(opened(connect(Number(port), hostname))).pipe(socket);
    }).listen(0, hostname);
    await once(proxy, "listening");
    const address = new URL(url);
    address.port = String((proxy.address() as AddressInfo).port);
    const events = { onCount: () => undefined, onMessage: () => undefined };
    const workers = await LivingWorkers.join(address.href, events, new AbortController().signal);
    hangs = true;
    for (const socket of sockets.splice(0)) socket.destroy();
    await vi.waitUntil(() => waiting > 0, { timeout: 30_000 });
    // It looks every 300 ms.
    await sleep(1_000);
    expect(waiting).toBe(1);
    await workers.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  test("whose launch fails after it has connected leaves no connection", async () => {
    const signal = new AbortController().signal;
    await (await launchDbos(url, "id", signal)).shutdown();
    await client.query(
      `ALTER ROLE guest RESET statement_timeout; GRANT USAGE ON SCHEMA millrace_extract TO guest;
       GRANT SELECT ON ALL TABLES IN SCHEMA millrace_extract TO guest`,
    );
    await expect(launchDbos(asGuest(), "id", signal)).rejects.toThrow("permission denied");
    await vi.waitUntil(async () => (await connections()) === 0, { timeout: 30_000 });
  });

  test("that waits until another one has created the tables can be stopped", async () => {
    await client.query("SELECT pg_advisory_lock(hashtextextended('millrace launch', 0))");
    const stop = new AbortController();
    // A process registers the workflow of a worker once, so this is the launch without it.
    const launch = launchDbos(url, "id", stop.signal).catch((error: unknown) => error);
    await vi.waitUntil(async () => (await connections()) === 1, { timeout: 30_000 });
    const reason = new Stop("interrupted");
    stop.abort(reason);
    expect(await launch).toBe(reason);
    await vi.waitUntil(async () => (await connections()) === 0, { timeout: 30_000 });
  });
});
