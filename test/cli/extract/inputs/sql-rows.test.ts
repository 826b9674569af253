import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { collect } from "millrace";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlRows } from "#src/cli/extract/inputs/sql-rows.js";
import { executable } from "../../harness.js";
import { describePostgres, PostgresServer } from "../../../durable/support/postgres.js";

describePostgres("rows of PostgreSQL", () => {
  const server = new PostgresServer();
  let url: string;
  let client: pg.Client;
  beforeAll(async () => {
    await server.start();
    ({ url, client } = await server.newClient());
    await client.query("ALTER ROLE CURRENT_USER SET timezone = 'UTC'");
    await client.query("CREATE TABLE letters (id int, text text, at timestamptz, tags jsonb)");
    await client.query(
      `INSERT INTO letters SELECT n, 'letter ' || n, '2026-01-02T03:04:05Z', '["a"]' FROM generate_series(1, 250) AS n`,
    );
  });
  afterAll(async () => {
    await client.end().catch(() => undefined);
    await server.close();
  });

  test("are documents with columns as texts", async () => {
    const source = sqlRows("SELECT * FROM letters ORDER BY id; ", url, "id");
    expect(await source.count()).toBe(250);
    const documents = await collect(source.documents());
    expect(documents).toHaveLength(250);
    expect(documents[249]).toMatchObject({
      ...{ id: "250", place: "row 250", problem: undefined },
      columns: { id: "250", text: "letter 250", at: "2026-01-02 03:04:05+00", tags: '["a"]' },
    });
  });

  test.each([
    ["'2026-01-02'::date", "2026-01-02"],
    ["'2026-01-02 03:04:05.123456'::timestamp", "2026-01-02 03:04:05.123456"],
    ["'infinity'::timestamptz", "infinity"],
    ["ARRAY['2026-01-02'::date, NULL]", '["2026-01-02",null]'],
    ["ARRAY['2026-01-02 03:04:05'::timestamp]", '["2026-01-02 03:04:05"]'],
    ["ARRAY['2026-01-02 03:04:05Z'::timestamptz]", '["2026-01-02 03:04:05+00"]'],
  ])(
    "have dates as PostgreSQL writes them, so the time zone of this machine is irrelevant: %s",
    async (cell, text) => {
      const [document] = await collect(sqlRows(`SELECT ${cell} AS cell`, url, undefined).documents());
      expect(document?.columns["cell"]).toBe(text);
    },
  );

  test.each(["json", "jsonb"])("keep the digits of long numbers in a column of the type %s", async (type) => {
    const query = `SELECT '{"id": 1234567890123456789}'::${type} AS cell`;
    const [document] = await collect(sqlRows(query, url, undefined).documents());
    expect(document?.columns).toEqual({ cell: '{"id":"1234567890123456789"}' });
  });

  test("are read by a connection that holds no transaction open", async () => {
    const iterator = sqlRows("SELECT * FROM letters", url, undefined).documents()[Symbol.asyncIterator]();
    await iterator.next();
    const { rows } = await client.query(
      "SELECT state FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND pid <> pg_backend_pid()",
    );
    expect(rows).toEqual([{ state: "idle" }]);
    await iterator.return?.();
  });

  test.each(["'\\\\x00ff'::bytea", "ARRAY['\\\\x00ff'::bytea]"])(
    "with bytes are documents with a problem: %s",
    async (photo) => {
      const source = sqlRows(`SELECT id, ${photo} AS photo FROM letters WHERE id = 1`, url, "id");
      const [document] = await collect(source.documents());
      expect(document).toMatchObject({ place: "row 1", text: "" });
      expect(document?.problem).toContain('"photo"');
    },
  );

  test("may come from a query that ends in a comment", async () => {
    const source = sqlRows("SELECT * FROM letters WHERE id < 3 -- some", url, undefined);
    expect(await source.count()).toBe(2);
    expect(await collect(source.documents())).toHaveLength(2);
  });

  test("come from one statement", async () => {
    const source = sqlRows("SELECT 1; COMMIT; DELETE FROM letters", url, undefined);
    await expect(collect(source.documents())).rejects.toMatchObject({ code: "usage" });
    expect((await client.query("SELECT 1 FROM letters")).rowCount).toBe(250);
  });

  test("change nothing", async () => {
    const source = sqlRows("DELETE FROM letters RETURNING *", url, undefined);
    await expect(collect(source.documents())).rejects.toMatchObject({ code: "usage" });
    expect((await client.query("SELECT 1 FROM letters")).rowCount).toBe(250);
  });

  test("end with a sentence when the connection is lost, after the rows that were read", async () => {
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const { place } of sqlRows("SELECT * FROM letters", url, undefined).documents()) {
        if (seen.push(place) === 1) {
          await client.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND pid <> pg_backend_pid()",
          );
        }
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: "database" });
    expect(seen.length).toBe(100);
  });
});

test("a wrong database is an error with its reason", async () => {
  const source = sqlRows("SELECT 1", "postgres://127.0.0.1:1/none", undefined);
  await expect(source.count()).rejects.toMatchObject({ code: "database" });
});

const hasSqlite = process.getBuiltinModule("node:sqlite" as string) !== undefined;
test("an SQLite file needs a Node that has node:sqlite", async () => {
  const counting = sqlRows("SELECT 1", "none.db", undefined).count();
  await expect(counting).rejects.toThrow(hasSqlite ? "unable to open" : "node:sqlite");
});

describe.skipIf(!hasSqlite)("rows of SQLite", () => {
  const path = join(tmpdir(), `millrace-sqlite-${process.pid}.db`);
  const schema = `${path}.json`;
  beforeAll(async () => {
    const name = "node:sqlite"; // not in the types of Node 20
    const { DatabaseSync } = (await import(name)) as {
      readonly DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void };
    };
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE letters (id int, text text); INSERT INTO letters VALUES (1, 'a'), (2, NULL)");
    database.close();
  });
  afterAll(async () => {
    await rm(path);
    await rm(schema, { force: true });
  });

  test("are documents with columns as texts", async () => {
    const source = sqlRows("SELECT * FROM letters ORDER BY id -- all", path, "id");
    expect(await source.count()).toBe(2);
    expect(await collect(source.documents())).toMatchObject([
      { id: "1", columns: { id: "1", text: "a" } },
      { id: "2", columns: { id: "2", text: "" } },
    ]);
  });

  test("come without a warning that SQLite is experimental", async () => {
    await writeFile(schema, '{"type": "object", "properties": {"n": {"type": "integer"}}}');
    const { stderr } = await promisify(execFile)(process.execPath, [
      ...[executable(), "extract", "--sql", "SELECT * FROM letters", "--db", path],
      ...["--schema", schema, "--dry-run"],
    ]);
    expect(stderr).toBe("");
  });

  test("without the column of --id are documents with a problem", async () => {
    const [first] = await collect(sqlRows("SELECT text FROM letters", path, "id").documents());
    expect(first?.problem).toContain('"id"');
  });

  test("have long integers as their digits", async () => {
    const query = "SELECT 1 AS id, 9007199254740993 AS long, -9007199254740991 AS safe, 1.5 AS half";
    const [document] = await collect(sqlRows(query, path, "long").documents());
    expect(document).toMatchObject({
      id: "9007199254740993",
      text: '{"id":1,"long":"9007199254740993","safe":-9007199254740991,"half":1.5}',
    });
  });

  test("with bytes are documents with a problem, and those with NULL are none", async () => {
    const query = "SELECT id, iif(id = 1, x'00ff', NULL) AS photo FROM letters ORDER BY id";
    const [first, second] = await collect(sqlRows(query, path, undefined).documents());
    expect(first).toMatchObject({ place: "row 1", text: "" });
    expect(first?.problem).toContain('"photo"');
    expect(second).toMatchObject({ text: '{"id":2,"photo":null}' });
  });

  test.each([
    "SELECT nothing FROM letters",
    "DELETE FROM letters RETURNING *",
    "INSERT INTO letters VALUES (3, 'c')",
    "SELECT 1; SELECT 2",
  ])("of a query that is no SELECT of this database are an error of the arguments: %s", async (query) => {
    const reading = collect(sqlRows(query, path, undefined).documents());
    await expect(reading).rejects.toMatchObject({ code: "usage" });
  });

  test("of a file that is no database are an error", async () => {
    const counting = sqlRows("SELECT 1", process.execPath, undefined).count();
    await expect(counting).rejects.toMatchObject({ code: "usage" });
  });
});
