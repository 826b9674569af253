import { from, patchLines, pipe, tap } from "millrace";
import { describe, expect, test } from "vitest";
import { blocks } from "../../support/pieces.js";
import { failure } from "../support/reading.js";
import { linesOf, readLines } from "./support/read-lines.js";

/** Chunks of a size that a network read has. */
const piecesOf = (text: string): string[] => blocks(text, 16_384);

const tea = linesOf({ op: "add", path: "/t", value: "Tea" });

describe("patchLines() bounds what a model sends:", () => {
  test("a line of 10 MB is reported, taken back, and the next line is read", async () => {
    const text = `${linesOf({ op: "add", path: "/a", value: "x".repeat(10_000_000) })}${tea}`;
    const { errors, value } = await readLines(piecesOf(text), { append: true });
    expect(errors.map(({ code, offset, path }) => [code, offset, path])).toEqual([["max_length", 0, "/a"]]);
    expect(value).toEqual({ t: "Tea" });
  });

  test("100,000 operations are applied, and one more ends the stream", async () => {
    const line = linesOf({ op: "replace", path: "/t", value: 1 });
    let applied = 0;
    const counted = tea + line.repeat(99_999) + line;
    const { error } = await failure(
      pipe(
        from(piecesOf(counted)),
        patchLines({ growing: false }).patches,
        tap((patch) => {
          applied += patch.length;
        }),
      ),
    );
    expect(applied).toBe(100_001); // with the document before them
    expect(error).toMatchObject({ code: "invalid", value: { t: 1 }, cause: { code: "max_operations" } });
  });

  test("a path of depth 10,000 is reported", async () => {
    const { errors, value } = await readLines([
      linesOf(
        { op: "add", path: "/a".repeat(10_000), value: 1 },
        { op: "add", path: "/".repeat(200_000), value: 1 },
      ),
      tea,
    ]);
    expect(errors.map(({ code }) => code)).toEqual(["max_depth", "max_depth"]);
    expect(value).toEqual({ t: "Tea" });
  });

  test("a value of depth 10,000 is reported", async () => {
    const text = `{"op":"add","path":"/a","value":${"[".repeat(10_000)}\n${tea}`;
    const { errors, value } = await readLines(piecesOf(text));
    expect(errors.map(({ code }) => code)).toEqual(["max_depth"]);
    expect(value).toEqual({ t: "Tea" });
  });

  test("copies into themselves, which double the document, are reported before it fits in no memory", async () => {
    const lines = [{ op: "add", path: "/a", value: { t: "x" } }] as object[];
    for (let i = 0; i < 60; i++) lines.push({ op: "copy", from: "/a", path: `/a/k${i}` });
    const { errors, value } = await readLines([linesOf(...lines), tea], { maxLength: 10_000 });
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["max_length"]));
    expect(value).toMatchObject({ t: "Tea", a: { t: "x", k0: { t: "x" } } });
    expect(JSON.stringify(value).length).toBeLessThan(20_000);
  });

  test("a document that becomes deeper by copies and moves is reported", async () => {
    for (const op of ["copy", "move"]) {
      const lines: object[] = [
        { op: "add", path: "/a", value: {} },
        { op: "add", path: "/b", value: {} },
      ];
      for (let i = 0; i < 60; i++) {
        const [from, to] = i % 2 === 0 ? ["a", "b"] : ["b", "a"];
        lines.push({ op, from: `/${from}`, path: `/${to}/x` }, { op: "add", path: `/${from}`, value: {} });
      }
      const { errors, value } = await readLines([linesOf(...lines), tea], { maxDepth: 20 });
      expect(errors.some(({ code }) => code === "max_depth")).toBe(true);
      expect(value).toMatchObject({ t: "Tea" });
      expect(JSON.stringify(value).match(/x/g)?.length).toBeLessThan(20);
    }
  });

  test("operations that wait are bounded, and each is reported", async () => {
    const text = Array.from({ length: 300 }, (_, i) =>
      linesOf({ op: "add", path: `/a/${i}`, value: i }),
    ).join("");
    const { errors } = await readLines([text + tea], { maxWaiting: 100 });
    expect(errors.filter(({ code }) => code === "max_waiting")).toHaveLength(200);
    expect(errors.filter(({ code }) => code === "missing_parent")).toHaveLength(100);
  });

  test("a text that is too long ends the stream, with what was read", async () => {
    const { error } = await failure(
      pipe(from([tea, "prose ".repeat(100)]), patchLines({ maxLength: 200 }).final),
    );
    expect(error).toMatchObject({
      code: "invalid",
      value: { t: "Tea" },
      cause: { code: "max_length", offset: 200 },
    });
  });

  test("only the first hundred errors are kept, and all are counted", async () => {
    const bad = linesOf({ op: "remove", path: "/x" }).repeat(1_000);
    const { error } = await failure(pipe(from([tea, bad]), patchLines().final));
    expect(error.errors).toHaveLength(100);
    expect(error.message).toContain("1000 operations");
  });

  test("white space, braces, quotes and backticks without end cost linear time", async () => {
    for (const unit of [
      " ",
      "\n",
      "{",
      '"',
      "`",
      '{"op"',
      '"op":',
      "\n{",
      "- ",
      '{"op":"add","path":"/a","value":"\n',
    ]) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length));
      for (const size of [7, 16_384]) {
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        await readLines([...chunks, `\n\`\`\`\n${tea}`]);
      }
    }
  });

  test("a long text without line breaks in one chunk costs linear time", async () => {
    const { value } = await readLines([`${'">'.repeat(700_000)}\n${tea}`]);
    expect(value).toEqual({ t: "Tea" });
  });
});
