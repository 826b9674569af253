import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { watch } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Stop } from "#src/cli/terminal/stop.js";
import { fileJournal } from "millrace/durable";
import { type Outcome, parsed, run } from "../harness.js";
import { events, eventStream, type ModelServer, serve } from "../../../scripts/model-server.js";
import { Screen } from "../screen.js";

let folder: string;
let server: ModelServer;
/** Answers a request; the default answers with its number. */
let answer: (response: ServerResponse, request: string) => void;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-extract-"));
  await writeFile(at("s.json"), JSON.stringify(schema));
  answer = good;
  server = await serve((response) => {
    answer(response, lastPrompt());
  });
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };

function at(name: string): string {
  return join(folder, name);
}

function lastPrompt(): string {
  const { messages } = server.requests.at(-1)?.body as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? "";
}

function prompts(): string[] {
  return server.requests.map(({ body }) => (body["messages"] as { content: string }[]).at(-1)?.content ?? "");
}

function good(response: ServerResponse, prompt: string): void {
  eventStream(response).end(events([`{"n": ${/\d+/.exec(prompt)?.[0] ?? "0"}}`]));
}

function extract(args: readonly string[], setting: Parameters<typeof run>[1] = {}): Promise<Outcome> {
  const fixed = ["--model", "openai:gpt-5-mini", "--base-url", server.baseURL, "--schema", at("s.json")];
  return run(["extract", ...fixed, "--out", at("out.jsonl"), ...args], setting);
}

async function lines(name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(at(name), "utf8");
  return text === "" ? [] : (parsed(text) as Record<string, unknown>[]);
}

async function ids(): Promise<unknown[]> {
  return (await lines("out.jsonl")).map(({ id }) => id).sort();
}

describe("the input", () => {
  test("files are documents with their path as id", async () => {
    await mkdir(at("docs/deep"), { recursive: true });
    await writeFile(at("docs/a.txt"), "Number 1");
    await writeFile(at("docs/deep/b.txt"), "Number 2");
    const { code } = await extract(["--input", at("docs/**/*.txt"), "--system", "Count."]);
    expect(code).toBe(0);
    expect(
      (await lines("out.jsonl")).sort((a, b) => String(a["id"]).localeCompare(String(b["id"]))),
    ).toMatchObject([
      { id: at("docs/a.txt"), object: { n: 1 }, attempts: 1 },
      { id: at("docs/deep/b.txt"), object: { n: 2 }, attempts: 1 },
    ]);
    expect(prompts().sort()[0]).toBe("Extract the data from this text.\n\nNumber 1");
    expect(JSON.stringify(server.requests[0]?.body)).toContain("Count.");
  });

  test("a shell may expand the pattern", async () => {
    await writeFile(at("a.txt"), "1");
    await writeFile(at("b.txt"), "2");
    await extract(["--input", at("a.txt"), at("b.txt")]);
    expect(await ids()).toEqual([at("a.txt"), at("b.txt")]);
  });

  test("a folder that is not there has a message without words of the system", async () => {
    const { code, stderr } = await extract(["--input", at("nowhere/*.txt")]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('nowhere/" cannot be read: there is no such file.'),
    ]);
  });

  test("a file that cannot be read begins no run, also if it is not the first", async () => {
    for (let n = 0; n < 10; n++) await writeFile(at(`${n}.jsonl`), '"1"');
    await symlink(at("nothing"), at("x.jsonl"));
    const { code, stderr } = await extract(["--input", at("*.jsonl")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("x.jsonl")]);
    expect(await readdir(folder)).not.toContain("out.jsonl.run");
  });

  test("rows of NDJSON and CSV are documents with columns", async () => {
    await writeFile(at("a.ndjson"), '{"key": "x", "n": 1}\n\n{"key": "y", "n": 2}\n');
    await writeFile(at("b.csv"), "\ufeffkey;n\nz;3\n");
    await writeFile(at("c.csv"), 'key,n,"a; b; c; d"\nw,4,5\n');
    const { code } = await extract([
      ...[
        "--input",
        at("a.ndjson"),
        "--input",
        at("*.csv"),
        "--id",
        "key",
        "--prompt",
        "{key} has {n}, {text}",
      ],
    ]);
    expect(code).toBe(0);
    expect((await ids()).sort()).toEqual(["w", "x", "y", "z"]);
    expect(prompts().sort()).toEqual([
      'w has 4, {"key":"w","n":"4","a; b; c; d":"5"}',
      'x has 1, {"key":"x","n":1}',
      'y has 2, {"key":"y","n":2}',
      'z has 3, {"key":"z","n":"3"}',
    ]);
  });

  test("long numbers keep their digits in ids and prompts", async () => {
    const row = (id: string): string => `\ufeff{"id": ${id}, "n": [${id}]}\n`;
    await writeFile(at("a.jsonl"), row("1234567890123456789") + row("1234567890123456788").slice(1));
    await extract(["--input", at("a.jsonl"), "--id", "id"]);
    expect(await ids()).toEqual(["1234567890123456788", "1234567890123456789"]);
    expect(prompts().sort()[1]).toContain('{"id":"1234567890123456789","n":["1234567890123456789"]}');
  });

  test("a column named text replaces {text} of --prompt, and nothing in the default prompt", async () => {
    await writeFile(at("a.jsonl"), '{"text": "one 1", "place": "two"}');
    await extract(["--input", at("a.jsonl"), "--out", at("b.jsonl")]);
    await extract(["--input", at("a.jsonl"), "--prompt", "{text} {place}"]);
    expect(prompts()).toEqual([
      'Extract the data from this text.\n\n{"text":"one 1","place":"two"}',
      "one 1 two",
    ]);
  });

  test("without --id the content is the id, so rows may move between two runs", async () => {
    await writeFile(at("a.jsonl"), '"one 1"\n"two 2"\n"one 1"\n');
    await extract(["--input", at("a.jsonl")]);
    const before = await ids();
    expect(before).toHaveLength(3);
    expect(before.filter((id) => String(id).endsWith("-2"))).toHaveLength(1);
    await writeFile(at("a.jsonl"), '"new 3"\n"two 2"\n"one 1"\n"one 1"\n');
    await extract(["--input", at("a.jsonl")]);
    expect(await ids()).toHaveLength(4);
    expect(server.requests).toHaveLength(4);
  });

  test("each document that cannot be used is an error with its reason, and the others are extracted", async () => {
    await writeFile(
      at("a.jsonl"),
      '{"id": "a", "n": 1}\nno json\n{"n": 2}\n[3]\n{"id": "a", "n": 4}\n{"id": "b"}\n',
    );
    await writeFile(at("b.csv"), "id,n\nc,5\nd\n");
    await writeFile(at("bin.txt"), Buffer.from([1, 2, 0, 255]));
    await writeFile(at("empty.txt"), " \n");
    const args = ["--input", at("a.jsonl"), "--input", at("b.csv"), "--input", at("*.txt"), "--id", "id"];
    const { code, stderr } = await extract([...args, "--prompt", "{n}"]);
    expect(code).toBe(1);
    expect(stderr).toContain("out.errors.jsonl");
    expect(await ids()).toEqual(["a", "c"]);
    const errors = await lines("out.errors.jsonl");
    expect(errors.map(({ kind, message }) => [kind, String(message).replaceAll(folder, "")])).toEqual([
      ["input", expect.stringContaining("/a.jsonl:2 is not JSON")],
      ["input", '/a.jsonl:3 has no column "id" (--id). Its columns are n.'],
      ["input", "/a.jsonl:4 is an array. Each line must be an object."],
      ["duplicate_id", '/a.jsonl:5: another document has the id "a".'],
      ["input", '/a.jsonl:6 has no column "n", which the prompt uses. Its columns are id.'],
      ["input", "/b.csv:3 has 1 cell, but the header has 2 columns."],
      ["input", expect.stringMatching(/UTF-8|empty/)],
      ["input", expect.stringMatching(/UTF-8|empty/)],
    ]);
    // The same command finds them again, and does not report them twice.
    await extract([...args, "--prompt", "{n}"]);
    expect(await lines("out.errors.jsonl")).toEqual(errors);
    expect(server.requests).toHaveLength(2);
  });
});

describe("the same command again", () => {
  const args = (): string[] => ["--input", at("a.jsonl"), "--prompt", "{text}"];
  beforeEach(async () => {
    await writeFile(at("a.jsonl"), Array.from({ length: 20 }, (_, n) => `"number ${n}"`).join("\n"));
  });

  test("continues after Ctrl-C", async () => {
    const controller = new AbortController();
    answer = (response, prompt) => {
      if (server.requests.length === 9) controller.abort(new Stop("interrupted"));
      good(response, prompt);
    };
    const { code, stderr } = await extract(args(), { signal: controller.signal });
    expect(code).toBe(130);
    expect(stderr).toContain("Run the same command again");
    expect((await ids()).length).toBeLessThan(20);
    expect((await extract(args())).code).toBe(0);
    expect(new Set(await ids()).size).toBe(20);
    expect(await ids()).toHaveLength(20);
  });

  test("cuts off a line that a crash left half written, and asks again", async () => {
    await extract(args());
    const whole = await readFile(at("out.jsonl"), "utf8");
    for (const cut of [1, 5, whole.length - whole.indexOf("\n") - 3]) {
      await writeFile(at("out.jsonl"), whole);
      await truncate(at("out.jsonl"), whole.length - cut);
      expect((await extract(args())).code).toBe(0);
      expect(new Set(await ids()).size).toBe(20);
      expect(await ids()).toHaveLength(20);
    }
  });

  test("a number that JSON cannot write is a failure, not null", async () => {
    await writeFile(at("s.json"), JSON.stringify({ type: "object", properties: { n: {} } }));
    answer = (response) => eventStream(response).end(events(['{"n": 1e400}']));
    await writeFile(at("1.txt"), "1");
    expect((await extract(["--input", at("1.txt"), "--prompt", "{text}"])).code).toBe(1);
    expect(await lines("out.jsonl")).toEqual([]);
    expect(await lines("out.errors.jsonl")).toMatchObject([
      { kind: "invalid", message: "The number at /n is too large to write as JSON." },
    ]);
  });

  test("does not ask again about documents that failed, but with --retry-errors", async () => {
    answer = (response, prompt) => {
      if (prompt === "number 7") response.writeHead(400).end('{"error": {"message": "too long"}}');
      else good(response, prompt);
    };
    expect((await extract(args())).code).toBe(1);
    expect(await lines("out.errors.jsonl")).toMatchObject([{ kind: "request", attempts: 1 }]);
    expect(String((await lines("out.errors.jsonl"))[0]?.["message"])).toContain("too long");
    answer = good;
    expect((await extract(args())).code).toBe(1);
    expect(server.requests).toHaveLength(20);
    expect((await extract([...args(), "--retry-errors"])).code).toBe(0);
    expect(server.requests).toHaveLength(21);
    expect(await ids()).toHaveLength(20);
    expect(await lines("out.errors.jsonl")).toEqual([]);
  });

  test("refuses another schema, prompt or model, unless the change is accepted", async () => {
    await extract(args());
    await writeFile(at("s.json"), JSON.stringify({ ...schema, title: "Other" }));
    const { code, stderr } = await extract([...args().slice(0, 2), "--prompt", "Other {text}"]);
    expect(code).toBe(2);
    expect(stderr).toContain("The schema and prompt changed");
    await appendFile(at("a.jsonl"), '\n"number 20"');
    expect((await extract([...args(), "--accept-changes"])).code).toBe(0);
    expect(await ids()).toHaveLength(21);
  });

  test("reports a document that changed, and keeps its object", async () => {
    await writeFile(at("a.jsonl"), '{"id": "a", "n": 1}');
    await extract([...args(), "--id", "id"]);
    await writeFile(at("a.jsonl"), '{"id": "a", "n": 2}');
    expect((await extract([...args(), "--id", "id"])).code).toBe(1);
    expect(await lines("out.errors.jsonl")).toMatchObject([{ id: "a", kind: "changed" }]);
    expect(await lines("out.jsonl")).toMatchObject([{ id: "a", object: { n: 1 } }]);
  });

  test("does not touch files of others, or a run that another process works on", async () => {
    await writeFile(at("out.jsonl"), '{"mine": true}\n');
    expect(await extract(args())).toMatchObject({ code: 2 });
    expect(await readFile(at("out.jsonl"), "utf8")).toBe('{"mine": true}\n');
    await rm(at("out.jsonl"));
    const other = fileJournal(at("out.jsonl.run"));
    await other.step("run", () => Promise.resolve({}));
    const { code, stderr } = await extract(args());
    expect([code, stderr]).toEqual([2, expect.stringContaining("Another process")]);
    await other.close();
  });

  test.each([
    ["out.errors.jsonl", "my precious notes, one line", false],
    ["out.errors.jsonl", "my precious notes, one line", true],
    ["out.errors.jsonl", '{"id":"a","content":"0123456789abcdef","mine":true}\n', false],
    ["out.jsonl", "my precious notes, one line", true],
  ])("keeps %s of someone else, which has %s (after a run: %j)", async (name, text, isOld) => {
    if (isOld) await extract(args());
    await writeFile(at(name), text);
    expect(await extract(args())).toMatchObject({ code: 2, stderr: expect.stringContaining(name) as string });
    expect(await readFile(at(name), "utf8")).toBe(text);
  });

  test.each(["", '{"i', '{"id":"a","content":"0123'])(
    "a crash in the first line leaves %j, which is cut off",
    async (text) => {
      await extract(args());
      await writeFile(at("out.jsonl"), text);
      expect((await extract(args())).code).toBe(0);
      expect(await ids()).toHaveLength(20);
    },
  );

  test.each([
    ["-", "standard output"],
    ["/dev/full", "a device"],
    [tmpdir(), "a directory"],
  ])("--out %s is refused, because it is %s", async (out, kind) => {
    const { code, stderr } = await extract([...args(), "--out", out]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`is ${kind}.`)]);
    expect(server.requests).toEqual([]);
  });

  test("stops while it counts its input, before it begins a run", async () => {
    const csv = at("count.csv");
    await writeFile(csv, `id,n\n${"1,2\n".repeat(300_000)}`);
    for (const last of [["--out", at("new.jsonl")], ["--dry-run"]]) {
      const controller = new AbortController();
      const running = extract(["--input", csv, ...last], { signal: controller.signal });
      controller.abort(new Stop("interrupted"));
      expect(await running).toEqual({ code: 130, stdout: "", stderr: "" });
    }
    expect(await readdir(folder)).not.toContain("new.jsonl.run");
  });

  test("--dry-run stops among documents that cannot be used", async () => {
    const csv = at("wrong.csv");
    await writeFile(csv, `id,n\n${"1\n".repeat(100_000)}`);
    const signal = AbortSignal.abort(new Stop("interrupted"));
    expect(await extract(["--input", csv, "--dry-run"], { signal })).toMatchObject({ code: 130, stdout: "" });
  });

  test("stops while it reads its output", async () => {
    await extract(args());
    const line = '{"id":"a","content":"0123456789abcdef","object":{}}\n';
    await writeFile(at("out.jsonl"), line.repeat(100_000));
    const controller = new AbortController();
    const { signal } = controller;
    // The run has its lock while it reads its output.
    const watcher = watch(at("out.jsonl.run"), () => {
      controller.abort(new Stop("interrupted"));
    });
    const { code, stderr } = await extract(args(), { signal });
    watcher.close();
    expect(code).toBe(130);
    const [, done = ""] = /with ([\d,]+).* documents done/.exec(stderr) ?? [];
    expect(Number(done.replaceAll(",", ""))).toBeLessThan(100_000);
  });

  test("a wrong key ends the command at once, and nothing is lost", async () => {
    answer = (response, prompt) => {
      if (server.requests.length > 9) response.writeHead(401).end('{"error": {"message": "wrong key"}}');
      else good(response, prompt);
    };
    const { code, stderr } = await extract([...args(), "--concurrency", "1"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("wrong key")]);
    expect(await ids()).toHaveLength(9);
    expect(await lines("out.errors.jsonl")).toEqual([]);
  });
});

describe("the reports", () => {
  beforeEach(async () => {
    await writeFile(at("a.jsonl"), '"number 1"\n"number 2"\n5\n');
  });

  test("--dry-run counts, shows a prompt and asks nothing", async () => {
    const { code, stdout } = await extract(["--input", at("a.jsonl"), "--dry-run", "--price", "1,2"]);
    expect(code).toBe(0);
    expect(stdout).toContain("2 documents");
    expect(stdout).toContain("number 1");
    expect(stdout).toContain("a.jsonl:3");
    expect(server.requests).toEqual([]);
    await expect(readFile(at("out.jsonl"))).rejects.toThrow("ENOENT");
  });

  test("--dry-run fails if no document can be used", async () => {
    const { code, stdout } = await extract(["--input", at("a.jsonl"), "--prompt", "{n}", "--dry-run"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("3 documents cannot be used")]);
  });

  test("the last line says why documents have no object, and what to do", async () => {
    const args = ["--input", at("a.jsonl")];
    const last = async (): Promise<unknown> => (await extract(args)).stderr.trimEnd().split("\n").at(-1);
    expect(await last()).toMatch(/1 document has no object \(input 1\)\..* Correct these inputs/);
    answer = (response) => response.writeHead(400).end('{"error": {"message": "too long"}}');
    await writeFile(at("a.jsonl"), '"number 3"\n5\n');
    expect(await last()).toMatch(/2 documents have no object \(input 1, request 1\)\..* --retry-errors/);
    expect(await last()).toMatch(/\(input 1, of earlier runs 1\)\..* --retry-errors/);
  });

  test("the last line says how many objects there are, and the errors are beside them", async () => {
    await writeFile(at("a.jsonl"), '"number 1"\n"number 2"\n');
    const args = ["--input", at("a.jsonl"), "--out", at("out.ndjson")];
    const last = `millrace extract: 2 objects in ${at("out.ndjson")}.\n`;
    expect((await extract(args)).stderr.endsWith(last)).toBe(true);
    expect((await extract(args)).stderr.endsWith(last)).toBe(true);
    expect(await readdir(folder)).toContain("out.errors.ndjson");
  });

  test("lines and the last line say which objects are not as the model wrote them, also of earlier runs", async () => {
    await writeFile(at("a.jsonl"), '"number 1"\n"number 2"\n');
    const args = ["--input", at("a.jsonl"), "--concurrency", "1"];
    answer = (response, prompt) => {
      eventStream(response).end(events([prompt.endsWith("1") ? '{"n": "1"}' : '{"n": 2,}']));
    };
    const last = `millrace extract: 2 objects in ${at("out.jsonl")} (coerced 1, repaired 1).\n`;
    expect((await extract(args)).stderr.endsWith(last)).toBe(true);
    expect(await lines("out.jsonl")).toMatchObject([
      { object: { n: 1 }, coercions: [{ pointer: "/n", kind: "number", from: "1", to: 1 }] },
      { object: { n: 2 }, repairs: [{ kind: "trailing_comma", offset: 8 }] },
    ]);
    expect((await extract(args)).stderr.endsWith(last)).toBe(true);
  });

  test("a server that answers nothing ends the command with the reason, after some requests", async () => {
    answer = (response) => response.destroy();
    const { code, stderr } = await extract(["--input", at("a.jsonl"), "--concurrency", "2"]);
    expect(code).toBe(3);
    expect(stderr).toContain(
      "of 3 documents done, because the first requests all failed. Run the same command",
    );
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^millrace extract: No response from 127\.0\.0\.1/);
    expect(server.requests.length).toBeLessThanOrEqual(10);
    answer = good;
    expect((await extract(["--input", at("a.jsonl")])).stderr).toContain("2 objects in");
  });

  test("a server that stops answering later does not end the command", async () => {
    await writeFile(at("a.jsonl"), '"number 1"\n"number 2"\n"number 3"\n');
    answer = (response, prompt) => {
      if (server.requests.length > 1 && server.requests.length < 12)
        response.writeHead(500, { "retry-after-ms": "1" }).end("{}");
      else good(response, prompt);
    };
    const { code } = await extract(["--input", at("a.jsonl"), "--concurrency", "2"]);
    expect(code).toBe(0);
    expect(await ids()).toHaveLength(3);
  });

  test("a database that cannot be reached is a failure like one of the model", async () => {
    const args = ["--sql", "SELECT 1", "--db", "postgres://127.0.0.1:1/none"];
    expect(await extract(args)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("The database") as string,
    });
  });

  test("the progress is NDJSON without a terminal", async () => {
    const { stderr } = await extract(["--input", at("a.jsonl"), "--price", "1,2"]);
    const last =
      stderr
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ total: 3, done: 3, failed: 1, failures: { input: 1 }, cost: 0 });
  });

  test("the progress has no total when the output has more documents than the input", async () => {
    await extract(["--input", at("a.jsonl")]);
    await writeFile(at("a.jsonl"), '"number 3"');
    const screen = new Screen(80, 20);
    await extract(["--input", at("a.jsonl")], { stderr: screen, env: { NO_COLOR: "1" } });
    expect(screen.text).toContain("3 documents\n");
    expect(screen.text).not.toMatch(/ of |left/);
  });

  test("the progress is a bar on a terminal", async () => {
    const screen = new Screen(80, 20);
    await extract(["--input", at("a.jsonl")], { stderr: screen, env: { NO_COLOR: "1" } });
    expect(screen.text).toContain("100 %  3 of 3 documents · 1 failed");
    expect(screen.text).toContain("failed: input 1");
    expect(screen.cursorVisible).toBe(true);
  });
});

test.each([
  [],
  ["--dry-run"],
  ["--engine", "dbos", "--db", "postgres://localhost/none"],
  ["--provider-batch"],
])("a schema that the provider cannot express is refused before anything is sent: %j", async (...args) => {
  await writeFile(at("a.jsonl"), '"number 1"');
  await writeFile(at("s.json"), JSON.stringify({ type: "array", items: { type: "string" } }));
  const { code, stderr } = await extract(["--input", at("a.jsonl"), ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('must be "object", but is "array"')]);
  expect(server.requests).toEqual([]);
  await expect(readFile(at("out.jsonl"))).rejects.toThrow("ENOENT");
});

test.each([
  [[], "Missing --input"],
  [["--input", "none.txt"], "none.txt"],
  [["--input", "test/cli/*.none"], "test/cli/*.none"],
  [["--input", "s.json", "--concurrency", "0"], "--concurrency"],
  [["--input", "s.json", "--rpm", "many"], "--rpm"],
  [["--input", "s.json", "--price", "1"], "--price"],
  [["--input", "s.json", "--price", "1,"], "--price"],
  [["--input", "s.json", "--price", "1,Infinity"], "--price"],
  [["--input", "s.json", "--prompt", "{"], "--prompt"],
  [["--input", "s.json", "--prompt", "@none"], "none"],
  [["--input", "s.json", "--prompt", "Extract it."], "--prompt has no placeholder"],
  [["--input", "*.txt", "--prompt", "x {nope}"], "{nope}"],
  [["--input", "s.json", "--out", ""], "Missing --out. Example"],
  [["--input", "s.json", "--engine", "dbos", "--db", "x"], '--db must be a postgres:// URL, but is "x".'],
  [["--sql", "select 1", "--db", "/none/x.db"], "--db"],
  [["--sql", "select 1 from x", "--db", ":memory:"], "--db"],
  [["--sql", "select 1; select 2", "--db", ":memory:"], "--db"],
  [["--sql", "select 1"], "--db"],
  [["--input", "a.csv", "--delimiter", ";;"], "--delimiter"],
  [["--input", "a.csv", "--delimiter", '"'], "--delimiter must be one character, no quote"],
  [["--input", "*.txt", "--input", "a.jsonl", "--delimiter", ";"], "--delimiter needs"],
  [["--input", "*.txt", "--id", "n"], "--id needs"],
])("wrong arguments %j are refused with a sentence that names them", async (args, named) => {
  const { code, stderr } = await extract(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
  expect(server.requests).toEqual([]);
  expect(await readdir(folder)).toEqual(["s.json"]); // a run would refuse a different model later
});
