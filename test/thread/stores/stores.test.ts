import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RedisClient } from "millrace/redis";
import { threadLaws } from "millrace/testing";
import {
  fileThreads,
  memoryThreads,
  postgresThreads,
  redisThreads,
  type ThreadBounds,
  type ThreadRecord,
  type ThreadStore,
} from "millrace/thread";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describePostgres, PostgresServer } from "../../durable/support/postgres.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";

const limits = { maxSize: 1_000, maxThreads: 7 };

const record: ThreadRecord = {
  title: "Hi",
  createdAt: 1,
  updatedAt: 1,
  status: "idle",
  state: { messages: [], step: 0, retries: 0, status: "finished" },
};
const key = { owner: "ada", id: "1" };

/** What all stores have in common. `open` opens the same place again. */
function common(place: (bounds: ThreadBounds) => { readonly open: () => ThreadStore }): void {
  describe("keeps the laws:", () => {
    const { open } = place(limits);
    for (const law of threadLaws({ open: () => open(), ...limits })) test(law.name, () => law.check());
  });

  test("a thread is gone after its age, does not count, and can begin again", async () => {
    let now = 1_000;
    const { open } = place({ maxAge: 100, maxThreads: 1, now: () => now });
    const store = open();
    const version = await store.save(key, { ...record, updatedAt: now }, undefined);
    now += 100;
    expect(await store.load(key)).toMatchObject({ version });
    now += 1;
    expect(await store.load(key)).toBeUndefined();
    expect(await store.list("ada")).toEqual([]);
    await store.save({ owner: "ada", id: "2" }, { ...record, updatedAt: now }, undefined);
    now += 101;
    await store.save(key, { ...record, updatedAt: now }, undefined);
    expect(await open().list("ada")).toMatchObject([{ id: "1" }]);
  });

  test("a title of any characters and length is kept, and the list has its beginning", async () => {
    const { open } = place({ maxSize: 100_000 });
    const title = `a\0b${"\0é".repeat(10_000)}`;
    const version = await open().save(key, { ...record, title }, undefined);
    expect((await open().load(key))?.record.title).toBe(title);
    const [first] = await open().list("ada");
    expect(first?.title).toMatch(/^a\ufffdb.{400,500}…$/);
    await open().save(key, { ...record, title: "short" }, version);
    expect(await open().list("ada")).toMatchObject([{ title: "short" }]);
  });

  test("any clock and any limit fits, and a page follows a thread that has an id and a time", async () => {
    let now = 0.5;
    const options = { maxThreads: Infinity, maxAge: 60_000, now: () => now };
    const store = place(options).open();
    const times = [1.5, 7, -5, 1e300, Number.NaN];
    for (const [at, updatedAt] of times.entries())
      await store.save({ owner: "o", id: String(at) }, { ...record, updatedAt }, undefined);
    const ids = async (list?: object): Promise<string> =>
      (await store.list("o", list)).map(({ id }) => id).join("");
    expect(await ids({ limit: Infinity })).toBe("31042");
    expect(await ids({ after: { id: "9", updatedAt: Infinity } })).toBe("31042");
    expect(await ids({ after: { id: "1", updatedAt: 7 }, limit: 1 })).toBe("0");
    expect(await ids({ after: { id: "1", updatedAt: 2 } })).toBe("042");
    expect(await ids({ after: { id: "0", updatedAt: 2 } })).toBe("42");
    for (const updatedAt of [Number.NaN, -1, 0.5, "x" as never])
      await expect(async () => store.list("o", { after: { id: "1", updatedAt } })).rejects.toThrow(
        RangeError,
      );
    await expect(store.list("o", { after: { id: "a/b", updatedAt: 1 } })).rejects.toThrow("1 to 200 letters");
    now = 60_003.5;
    expect(await ids()).toBe("31");
    await store.save({ owner: "o", id: "5" }, { ...record, updatedAt: now }, undefined);
    expect(await ids()).toBe("351");
  });

  test("pages of the list have each thread once, also of the same millisecond", async () => {
    const store = place({}).open();
    const all = Array.from({ length: 30 }, (_, at) => `${at % 2 === 0 ? "a" : "B"}.${at}`);
    for (const [at, id] of all.entries())
      await store.save({ owner: "o", id }, { ...record, updatedAt: 5 + (at % 3) }, undefined);
    for (const limit of [1, 4, 10, 29]) {
      const ids: string[] = [];
      let page = await store.list("o", { limit });
      while (page.length > 0) {
        ids.push(...page.map(({ id }) => id));
        page = await store.list("o", { limit, after: page.at(-1) as (typeof page)[0] });
      }
      expect(ids).toHaveLength(30);
      expect(new Set(ids)).toEqual(new Set(all));
    }
  });

  test("owners of any characters and length have threads of their own", async () => {
    const store = place({}).open();
    const wide = String.fromCharCode(
      ...Array.from({ length: 999 }, (_, at) => 0x4e00 + ((at * 7_919) % 20_000)),
    );
    const hash = createHash("sha256").update("a\0b").digest("hex");
    const owners = ["", "a\0b", "a\0c", "ab", `${wide}a`, `${wide}b`, `sha256:${hash}`, "x".repeat(501)];
    for (const owner of owners) {
      const key = { owner, id: "x".repeat(200) };
      await store.save(key, { ...record, title: owner.slice(-80) }, undefined);
    }
    for (const owner of owners) {
      expect((await store.load({ owner, id: "x".repeat(200) }))?.record.title).toBe(owner.slice(-80));
      expect(await store.list(owner)).toHaveLength(1);
    }
    expect(await store.remove({ owner: "a\0b", id: "x".repeat(200) })).toBe(true);
    expect(await store.list("a\0b")).toEqual([]);
    expect(await store.list("a\0c")).toHaveLength(1);
  });

  test("an id that is no plain name, and a limit out of range, are refused", async () => {
    const store = place({}).open();
    for (const id of ["", ".", "..", "a/b", "a b", "é", "x".repeat(201), 1 as never]) {
      await expect(async () => store.load({ owner: "", id })).rejects.toMatchObject({ code: "invalid_id" });
    }
    for (const owner of ["a\ud800", "\udc00"]) {
      await expect(async () => store.load({ owner, id: "1" })).rejects.toMatchObject({ code: "invalid_id" });
      await expect(async () => store.list(owner)).rejects.toMatchObject({ code: "invalid_id" });
    }
    await expect(async () => store.list("x".repeat(1_001))).rejects.toMatchObject({ code: "invalid_id" });
    await expect(async () => store.list("", { limit: 0 })).rejects.toThrow(RangeError);
    expect(() => place({ maxSize: 0 }).open()).toThrow(RangeError);
  });
}

describe("memoryThreads()", () => {
  common((bounds) => {
    let store: ThreadStore | undefined;
    return { open: () => (store ??= memoryThreads(bounds)) };
  });

  test("threads that are too old do not count for other owners", async () => {
    let now = 1_000;
    const store = memoryThreads({ maxTotal: 1, maxAge: 10, now: () => now });
    await store.save({ owner: "ada", id: "1" }, { ...record, updatedAt: now }, undefined);
    now += 11;
    await store.save({ owner: "bob", id: "1" }, { ...record, updatedAt: now }, undefined);
    expect((await store.list("bob")).length).toBe(1);
  });

  test("has a limit for all owners", async () => {
    const store = memoryThreads({ maxTotal: 2 });
    await store.save({ owner: "a", id: "1" }, record, undefined);
    await store.save({ owner: "b", id: "1" }, record, undefined);
    await expect(store.save({ owner: "c", id: "1" }, record, undefined)).rejects.toMatchObject({
      code: "too_many_threads",
      message: expect.stringContaining("maxTotal") as string,
    });
    await store.remove({ owner: "a", id: "1" });
    await store.save({ owner: "c", id: "1" }, record, undefined);
  });
});

describe("fileThreads()", () => {
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "threads-"));
    folders.push(folder);
    return folder;
  };
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  common((bounds) => {
    const folder = join(newFolder(), "new");
    return { open: () => fileThreads(folder, bounds) };
  });

  const onlyFile = (folder: string): string => {
    const [owner = ""] = readdirSync(folder);
    const files = readdirSync(join(folder, owner));
    expect(files).toHaveLength(1);
    return join(folder, owner, files[0] ?? "");
  };

  test("keeps one private file for each thread", async () => {
    const folder = join(newFolder(), "a", "b");
    const store = fileThreads(folder);
    let version: string | undefined;
    for (let at = 0; at < 5; at++) version = await store.save(key, { ...record, title: String(at) }, version);
    const file = onlyFile(folder);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("lists the others beside a file that is damaged, which counts and can be removed", async () => {
    const folder = newFolder();
    const store = fileThreads(folder, { maxThreads: 3, maxAge: 1_000, now: () => 1 });
    await store.save(key, record, undefined);
    writeFileSync(onlyFile(folder), '{"id":');
    const others = ["2", "3"].map((id) => ({ owner: "ada", id }));
    for (const other of others) await store.save(other, record, undefined);
    expect((await store.list("ada")).map(({ id }) => id).sort()).toEqual(["2", "3"]);
    await expect(store.load(key)).rejects.toMatchObject({ code: "corrupt" });
    const fourth = { owner: "ada", id: "4" };
    await expect(store.save(fourth, record, undefined)).rejects.toMatchObject({ code: "too_many_threads" });
    expect(await store.remove(key)).toBe(true);
    await store.save(fourth, record, undefined);
  });

  test("lists many threads in a process that may open few files", async () => {
    const folder = newFolder();
    for (let at = 0; at < 200; at++)
      await fileThreads(folder).save({ owner: "ada", id: String(at) }, record, undefined);
    const program = `
      import { fileThreads } from "millrace/thread";
      const store = fileThreads(${JSON.stringify(folder)});
      const lists = await Promise.all([1, 2].map(() => store.list("ada", { limit: 200 })));
      console.log(lists.map(({ length }) => length).join());`;
    const command = 'ulimit -n 128; exec "$0" --input-type=module --import=tsx -e "$1"';
    expect(execFileSync("sh", ["-c", command, process.execPath, program], { encoding: "utf8" })).toBe(
      "200,200\n",
    );
  });

  test("refuses a folder to which others may write, follows no link, and says that a file is damaged", async () => {
    const folder = newFolder();
    const store = fileThreads(folder);
    await store.save(key, record, undefined);
    const file = onlyFile(folder);
    writeFileSync(file, "not a thread");
    await expect(store.load(key)).rejects.toMatchObject({ code: "corrupt" });
    rmSync(file);
    const secret = join(newFolder(), "secret");
    writeFileSync(secret, '{"id":"1","version":"1"}\n{}');
    symlinkSync(secret, file);
    await expect(store.load(key)).rejects.toMatchObject({ code: "unavailable" });
    rmSync(file);
    chmodSync(folder, 0o777);
    await expect(store.save(key, record, undefined)).rejects.toMatchObject({ code: "unavailable" });
  });

  test(
    "processes that are killed leave no thread damaged, and lose none that was saved",
    { timeout: 60_000 },
    async () => {
      const folder = newFolder();
      const program = `
      import { fileThreads } from "millrace/thread";
      const store = fileThreads(${JSON.stringify(folder)});
      const key = { owner: "ada", id: "1" };
      const stored = await store.load(key);
      let version = stored?.version;
      for (let at = Number(stored?.record.title ?? 0) + 1; ; at++) {
        const record = ${JSON.stringify(record)};
        version = await store.save(key, { ...record, title: String(at) }, version);
        process.stdout.write(at + "\\n");
        if (at % 7 === Number(process.argv[1])) process.kill(process.pid, "SIGKILL");
      }`;
      let latest = 0;
      for (let round = 0; round < 5; round++) {
        let output = "";
        try {
          execFileSync(
            process.execPath,
            ["--input-type=module", "--import=tsx", "-e", program, String(round)],
            { stdio: "pipe" },
          );
        } catch (error) {
          output = String((error as { stdout: unknown }).stdout);
        }
        latest = Number(output.trim().split("\n").at(-1));
        const stored = await fileThreads(folder).load(key);
        expect(Number(stored?.record.title)).toBeGreaterThanOrEqual(latest);
      }
      expect(latest).toBeGreaterThan(5);
    },
  );
});

describeRedis("redisThreads()", () => {
  const server = new RedisServer();
  let clients: Record<"redis" | "ioredis", RedisClient>;
  let stores = 0;
  beforeAll(async () => {
    await server.start();
    clients = { redis: await server.nodeRedis(), ioredis: server.ioredis() };
  });
  afterAll(() => server.close());
  test("a thread that is saved without an age outlives the age that it had", async () => {
    const prefix = "aged:";
    const aged = redisThreads(clients.redis, { prefix, maxAge: 60_000, now: () => 1 });
    const version = await aged.save(key, record, undefined);
    await redisThreads(clients.redis, { prefix }).save(key, record, version);
    const redis = server.ioredis();
    const keys = await redis.keys(`${prefix}*`);
    expect(keys).toHaveLength(2);
    for (const name of keys) expect(await redis.ttl(name)).toBe(-1);
  });

  test("a thread that Redis has no memory for is refused, and the one before stays", async () => {
    const redis = server.ioredis();
    for (const client of [clients.redis, clients.ioredis]) {
      const store = redisThreads(client, { prefix: `full${++stores}:` });
      const version = await store.save(key, record, undefined);
      await redis.config("SET", "maxmemory", "1");
      await expect(store.save(key, { ...record, title: "new" }, version)).rejects.toMatchObject({
        code: "unavailable",
        cause: { message: expect.stringContaining("maxmemory") as string },
      });
      expect(await store.load(key)).toEqual({ version, record });
      expect(await store.remove(key)).toBe(true);
      await redis.config("SET", "maxmemory", "0");
    }
  });

  describe.each(["redis", "ioredis"] as const)("with the client of the package %s", (client) => {
    common((bounds) => {
      const prefix = `t${++stores}:`;
      return { open: () => redisThreads(clients[client], { prefix, ...bounds }) };
    });
  });
});

describePostgres("postgresThreads()", () => {
  const server = new PostgresServer();
  let pool: pg.Pool;
  let tables = 0;
  beforeAll(async () => {
    await server.start();
    pool = new pg.Pool({ connectionString: await server.newDatabase() });
    pool.on("error", () => undefined);
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await server.close();
  });
  common((bounds) => {
    const table = `threads_${++tables}`;
    return { open: () => postgresThreads(pool, { table, ...bounds }) };
  });

  test("uses a table that exists with the rights of a user who may not create one", async () => {
    await postgresThreads(pool, { table: "existing" }).save(key, record, undefined);
    await pool.query("revoke create on schema public from public; create role app");
    await pool.query("grant select, insert, update, delete on existing to app");
    const client = await pool.connect();
    await client.query("set role app");
    expect(await postgresThreads(client, { table: "existing" }).load(key)).toMatchObject({ record });
    await expect(postgresThreads(client, { table: "missing" }).load(key)).rejects.toMatchObject({
      cause: { code: "42501" },
    });
    await client.query("reset role");
    client.release();
  });

  test("refuses a table whose name is not plain, and reports a database that is gone", async () => {
    expect(() => postgresThreads(pool, { table: "a; drop table b" })).toThrow(TypeError);
    const gone = new pg.Pool({ connectionString: "postgresql://postgres@127.0.0.1:1/none" });
    await expect(postgresThreads(gone).load(key)).rejects.toMatchObject({
      code: "unavailable",
      message: "The conversation cannot be loaded or saved at the moment.",
    });
    await gone.end();
  });
});
