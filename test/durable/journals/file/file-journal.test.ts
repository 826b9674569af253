import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DurableError, fileJournal, unfinishedRuns } from "millrace/durable";
import { journalLaws } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { hang } from "../../support/trip.js";
import { temporaryFolders } from "../../support/folders.js";

const newFolder = temporaryFolders();
const parent = newFolder();

const laws = journalLaws({
  maxStepSize: 1_000,
  async attempt(run, work) {
    const journal = fileJournal(join(parent, run), { maxStepSize: 1_000 });
    try {
      return await work(journal);
    } finally {
      await journal.close();
    }
  },
});

const say = (text: string) => (): Promise<string> => Promise.resolve(text);
const fileIn = (folder: string): string => join(folder, "journal.ndjson");

/** A journal with the steps `step 0` to `step 4`, and its bytes. */
async function filled(folder: string, count = 5): Promise<Buffer> {
  const journal = fileJournal(folder);
  for (let i = 0; i < count; i++) await journal.step(`step ${i}`, say(`value ${i} é`));
  await journal.close();
  return readFileSync(fileIn(folder));
}

/** What the next attempt finds. */
async function found(folder: string, count = 5): Promise<string[]> {
  const journal = fileJournal(folder);
  const values: string[] = [];
  try {
    for (let i = 0; i < count; i++) values.push(await journal.step(`step ${i}`, say("again")));
  } finally {
    await journal.close();
  }
  return values;
}

describe("fileJournal()", () => {
  // mkdir() of Node with "recursive" never ends there.
  test.skipIf(process.platform !== "linux").each(["/proc/x", "/proc/x/y"])(
    "is unavailable in %s, where no folder can be made",
    async (folder) => {
      await expect(fileJournal(folder).step("a", say("b"))).rejects.toMatchObject({
        code: "unavailable",
        cause: { code: "ENOENT" },
      });
    },
  );

  test("makes the folders above its own, which are private too", async () => {
    const top = join(newFolder(), "a");
    const folders = [top, join(top, "b"), join(top, "b", "c")];
    const journals = [fileJournal(folders[2]!), fileJournal(join(top, "b", "d"))];
    await Promise.all(journals.map((journal) => journal.step("a", say("b")))); // at the same time
    for (const folder of folders) expect(statSync(folder).mode & 0o777).toBe(0o700);
    await Promise.all(journals.map((journal) => journal.close()));
  });

  test.each(laws.map((law) => [law.name, law] as const))("%s", async (_, law) => {
    await law.check();
  });

  // G-durable-5
  test("cut at any byte keeps the steps before the cut, and can go on", async () => {
    const folder = newFolder();
    const bytes = await filled(folder, 3);
    for (let length = 0; length <= bytes.length; length += length > bytes.length - 40 ? 1 : 7) {
      writeFileSync(fileIn(folder), bytes.subarray(0, length));
      const values = await found(folder, 3);
      const kept = values.findIndex((value) => value === "again");
      const expected = kept === -1 ? 3 : kept;
      expect(values).toEqual([0, 1, 2].map((i) => (i < expected ? `value ${i} é` : "again")));
      const recorded = bytes.subarray(0, length).toString("latin1").split('"value ').length - 1;
      expect(expected).toBeGreaterThanOrEqual(recorded - 1);
      // The steps after the cut were recorded again.
      expect(await found(folder, 3)).toEqual(values);
    }
  });

  test("cuts a tail of any bytes", async () => {
    const folder = newFolder();
    await filled(folder, 2);
    const wrong = '0123456789abcdef [["step 9",1]]\n';
    // A power cut may lose any blocks of the last line, and of the lines after which there was no `fsync`.
    const lost = [
      "\0\0\0\0",
      "0123\0\0\0\0",
      `\0\0\0\0"step 9"]]\n`,
      `\0\0"step 9"]]\n${wrong.slice(0, 20)}\0\0`,
    ];
    for (const tail of [...lost, wrong, "{}\n", "\n", " ", "\xff\xfe\n"]) {
      appendFileSync(fileIn(folder), Buffer.from(tail, "latin1"));
      expect(await found(folder, 2)).toEqual(["value 0 é", "value 1 é"]);
    }
  });

  test("rejects a file with a changed byte before its last line, and leaves it as it is", async () => {
    const folder = newFolder();
    const bytes = await filled(folder);
    const changed = Buffer.from(bytes);
    const at = changed.indexOf("value 1");
    changed[at] = 0x56;
    writeFileSync(fileIn(folder), changed);
    await expect(found(folder)).rejects.toMatchObject({ code: "corrupt" });
    expect(readFileSync(fileIn(folder)).equals(changed)).toBe(true);
  });

  // [what the sample is, the bytes of a journal with this damage]
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ["other line ends", (bytes) => Buffer.from(bytes.toString().replaceAll("\n", "\r\n"))],
    ["old line ends", (bytes) => Buffer.from(bytes.toString().replaceAll("\n", "\r"))],
    ["another encoding", (bytes) => Buffer.from(bytes.toString(), "utf16le")],
    ["no first line", (bytes) => bytes.subarray(bytes.indexOf("\n") + 1)],
    ["several wrong lines at the end", (bytes) => Buffer.concat([bytes, Buffer.from("one\ntwo\n")])],
    ["a wrong line before a cut one", (bytes) => Buffer.concat([bytes, Buffer.from("one\ntwo")])],
  ])("rejects a file with %s, and leaves it as it is", async (_, damage) => {
    const folder = newFolder();
    const bytes = damage(await filled(folder, 2));
    writeFileSync(fileIn(folder), bytes);
    await expect(found(folder, 2)).rejects.toMatchObject({ code: "corrupt" });
    expect(readFileSync(fileIn(folder)).equals(bytes)).toBe(true);
  });

  test("rejects a file of a later version, or of another program", async () => {
    const folder = newFolder();
    await filled(folder, 1);
    const line = readFileSync(fileIn(folder), "utf8").split("\n")[1]!;
    writeFileSync(fileIn(folder), `${line}\n`);
    await expect(found(folder)).rejects.toMatchObject({ code: "corrupt" });
  });

  const deep = `[["a",${"[".repeat(100_000)}${"]".repeat(100_000)}]]`;
  test.each(
    ["null", "5", '{"a":1}', "[null]", "[5]", '[{"a":1}]', '[[{"a":1},2]]', '["ab"]', "no JSON", deep].map(
      (json) => [json.slice(0, 20), json] as const,
    ),
  )("rejects a line of another program with a right checksum: %s", async (_, json) => {
    const runs = newFolder();
    const folder = join(runs, "run");
    await filled(folder, 1);
    const [header = ""] = readFileSync(fileIn(folder), "utf8").split("\n");
    const line = `${createHash("sha256").update(json).digest("hex").slice(0, 16)} ${json}`;
    for (const text of [`${header}\n${line}\n`, `${line}\n${line}\n`]) {
      writeFileSync(fileIn(folder), text);
      expect(await unfinishedRuns(runs)).toEqual(["run"]);
      await expect(found(folder, 1)).rejects.toMatchObject({ name: "DurableError", code: "corrupt" });
    }
  });

  // G-durable-4
  test("is owned by one journal at a time, and by the next one after close()", async () => {
    const folder = newFolder();
    const first = fileJournal(folder);
    await first.step("a", say("first"));
    const second = fileJournal(folder);
    await expect(second.step("a", say("second"))).rejects.toMatchObject({ code: "owned" });
    await first.close();
    await expect(first.step("b", say("late"))).rejects.toMatchObject({ code: "lost" });
    const third = fileJournal(folder);
    expect(await third.step("a", say("third"))).toBe("first");
    await third.close();
  });

  // G-durable-4
  test("keeps its owner when the date jumps", async () => {
    const folder = newFolder();
    const journal = fileJournal(folder);
    await journal.step("a", say("first"));
    try {
      for (const date of ["1970-01-01", "2100-01-01"]) {
        vi.useFakeTimers({ toFake: ["Date", "performance"], now: new Date(date) });
        await expect(fileJournal(folder).step("a", say("x"))).rejects.toMatchObject({ code: "owned" });
        expect(await journal.step(date, say(date))).toBe(date);
      }
    } finally {
      vi.useRealTimers();
    }
    await journal.close();
  });

  test("lets one of many journals in that open it at the same time", async () => {
    const folder = newFolder();
    for (let round = 0; round < 5; round++) {
      const journals = Array.from({ length: 8 }, () => fileJournal(folder));
      const outcomes = await Promise.allSettled(journals.map((it) => it.step("a", say("x"))));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const one of outcomes)
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "owned" });
      for (const journal of journals) await journal.close();
    }
    // One lock is left, and no candidate.
    expect(readdirSync(folder).filter((name) => name !== "journal.ndjson")).toHaveLength(1);
  });

  test("does not record a step that ends after close()", async () => {
    const folder = newFolder();
    const journal = fileJournal(folder);
    let end: (value: string) => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      const step = journal.step("a", () => {
        resolve();
        return new Promise<string>((settle) => {
          end = settle;
        });
      });
      step.catch(() => undefined);
    });
    await started;
    await journal.close();
    end("late");
    const next = fileJournal(folder);
    expect(await next.step("a", say("next"))).toBe("next");
    await next.close();
  });

  test("stops writing if the lock was removed by hand", async () => {
    const folder = newFolder();
    const first = fileJournal(folder);
    await first.step("a", say("first"));
    for (const name of readdirSync(folder)) if (name.startsWith("lock-")) rmSync(join(folder, name));
    const second = fileJournal(folder);
    expect(await second.step("a", say("second"))).toBe("first");
    await expect(first.step("b", say("stale"))).rejects.toMatchObject({ code: "lost" });
    expect(await second.step("b", say("second"))).toBe("second");
    await Promise.all([first.close(), second.close()]);
  });

  test("tells a step how often it was tried, also after a crash", async () => {
    const folder = newFolder();
    const attempts: number[] = [];
    for (let i = 0; i < 3; i++) {
      const journal = fileJournal(folder);
      void journal.step("a", (attempt) => {
        attempts.push(attempt);
        return hang();
      });
      await expect.poll(() => attempts.length).toBe(i + 1);
      await journal.close();
    }
    expect(attempts).toEqual([1, 2, 3]);
  });

  test("works in a folder whose path is too long for a socket", async () => {
    const folder = join(newFolder(), "a".repeat(60), "b".repeat(60), "é".repeat(60));
    await filled(folder, 1);
    expect(await found(folder, 1)).toEqual(["value 0 é"]);
    const first = fileJournal(folder);
    await first.step("x", say("x"));
    await expect(fileJournal(folder).step("x", say("x"))).rejects.toMatchObject({ code: "owned" });
    await first.close();
  });

  test("refuses to grow beyond maxSize, and to read such a file", async () => {
    const folder = newFolder();
    const journal = fileJournal(folder, { maxSize: 2_000 });
    await journal.step("a", say("x".repeat(1_000)));
    await expect(journal.step("b", say("x".repeat(1_000)))).rejects.toMatchObject({ code: "too_large" });
    expect(await journal.step("c", say("fits"))).toBe("fits");
    await journal.close();
    const smaller = fileJournal(folder, { maxSize: 1_000 });
    await expect(smaller.step("a", say("x"))).rejects.toMatchObject({ code: "too_large" });
  });

  test("says why its folder cannot be used", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    const error = await fileJournal(file)
      .step("a", say("x"))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DurableError);
    expect(error).toMatchObject({ code: "unavailable", cause: { code: "EEXIST" } });
  });
});

describe("in a folder where others may write", () => {
  const refused = async (folder: string): Promise<string> => {
    const journal = fileJournal(folder);
    const error: unknown = await journal.step("a", say("b")).catch((reason: unknown) => reason);
    await journal.close();
    expect(error).toMatchObject({ name: "DurableError", code: "unavailable" });
    return (error as Error).message;
  };

  test.each([0o777, 0o1777, 0o770])("fileJournal() refuses a folder of mode %o", async (mode) => {
    const folder = newFolder();
    chmodSync(folder, mode);
    expect(await refused(folder)).toMatch(/Other users may write to .* \(chmod go-w\)/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("reads and writes no file behind a link", async () => {
    const parent = newFolder();
    const folder = join(parent, "run");
    mkdirSync(folder, 0o700);
    const target = join(newFolder(), "notes");
    for (const [make, message] of [
      [symlinkSync, "ELOOP"],
      [linkSync, "second name"],
    ] as const) {
      writeFileSync(target, "kept\n");
      make(target, fileIn(folder));
      expect(await refused(folder)).toContain(message);
      await expect(unfinishedRuns(parent)).rejects.toMatchObject({ code: "unavailable" });
      expect(readFileSync(target, "utf8")).toBe("kept\n");
      rmSync(fileIn(folder));
    }
    symlinkSync(join(folder, "made by others"), fileIn(folder));
    expect(await refused(folder)).toContain("ELOOP");
    expect(existsSync(join(folder, "made by others"))).toBe(false);
  });

  test("does not wait for a pipe that nobody writes to", async () => {
    const parent = newFolder();
    const folder = join(parent, "run");
    mkdirSync(folder, 0o700);
    execFileSync("mkfifo", [fileIn(folder)]);
    expect(await refused(folder)).toMatch(/is not a file/);
    await expect(unfinishedRuns(parent)).rejects.toMatchObject({ code: "unavailable" });
  });

  test.skipIf(process.getuid?.() !== 0)("refuses a folder or a file of another user", async () => {
    const folder = newFolder();
    await filled(folder, 1);
    chownSync(fileIn(folder), 65534, 65534);
    expect(await refused(folder)).toMatch(/journal\.ndjson belongs to the user 65534, .* runs as the user 0/);
    chownSync(folder, 65534, 65534);
    expect(await refused(folder)).toContain(`${folder} belongs to the user 65534`);
  });
});

test("only the user of the process can read a journal", async () => {
  const folder = join(newFolder(), "run");
  await filled(folder, 1);
  expect([folder, fileIn(folder)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
});

describe("unfinishedRuns()", () => {
  test("lists the folders whose journal has no end, also after a cut tail", async () => {
    const folder = newFolder();
    expect(await unfinishedRuns(join(folder, "none"))).toEqual([]);
    mkdirSync(join(folder, "no journal"));
    writeFileSync(join(folder, "a file"), "");
    for (const name of ["a", "b", "c"]) {
      const journal = fileJournal(join(folder, name));
      await journal.step("begin", say("input"));
      await journal.close();
    }
    await filled(join(folder, "without input"), 1);
    for (const [name, end] of [
      ["b", "complete"],
      ["c", "a long error ".repeat(1_000)],
    ] as const) {
      const journal = fileJournal(join(folder, name));
      await journal.step("end", say(end));
      await journal.close();
    }
    expect(await unfinishedRuns(folder)).toEqual(["a"]);
    appendFileSync(fileIn(join(folder, "b")), "torn");
    expect(await unfinishedRuns(folder)).toEqual(["a"]);
    const bytes = readFileSync(fileIn(join(folder, "c")));
    writeFileSync(fileIn(join(folder, "c")), bytes.subarray(0, -2));
    expect(await unfinishedRuns(folder)).toEqual(["a", "c"]);
    symlinkSync("journal.ndjson", fileIn(join(folder, "no journal"))); // a journal that cannot be opened
    await expect(unfinishedRuns(folder)).rejects.toMatchObject({
      code: "unavailable",
      cause: { code: "ELOOP" },
    });
    expect(existsSync(join(folder, "no journal"))).toBe(true);
  });
});
