import { collect, from, patchLines, pipe } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import { memoryLog, type StreamLog, toEventStream } from "millrace/serve";
import { describe, expect, test, vi } from "vitest";

const copies = (count: number): readonly AnyPatchOperation[][] => [
  [{ op: "replace", path: "", value: { a: [] } }],
  ...Array.from({ length: count }, (): AnyPatchOperation[] => [{ op: "copy", from: "", path: "/a/-" }]),
];

/** The errors of a run of patches in a log. */
async function errorsOf(
  log: StreamLog,
  patches: readonly (readonly AnyPatchOperation[])[],
): Promise<unknown[]> {
  const errors: unknown[] = [];
  await toEventStream(from(patches), { log, id: "run", onError: (error) => void errors.push(error) }).text();
  return errors;
}

const readAgain = (log: StreamLog): Promise<string> => toEventStream(undefined, { log, id: "run" }).text();

// G-wire-15
describe("a log pays for the value at a moment by the patches that it got:", () => {
  test("copies that grow beyond the factor end the run, and a late reader gets what was before", async () => {
    const log = memoryLog();
    const errors = await errorsOf(log, copies(40));
    expect(errors).toEqual([
      expect.objectContaining({
        code: "max_work",
        message: expect.stringMatching(
          /would be \d+, and \d+ is allowed: 262144, and 128 for each of \d+/,
        ) as string,
      }),
    ]);
    const text = await readAgain(log);
    expect(text.length).toBeGreaterThan(1_000);
    expect(text.length).toBeLessThan(262_144 + 128 * 2_000);
    expect(text).toContain("event: error");
  });

  test("patch lines of a model refuse such copies first, so that the run goes on", async () => {
    const log = memoryLog();
    const lines = copies(40)
      .flat()
      .map((line) => `${JSON.stringify(line)}\n`);
    const patches = await collect(pipe(from(lines), patchLines({ onLineError: () => {} }).patches));
    expect(await errorsOf(log, patches)).toEqual([]);
    const text = await readAgain(log);
    expect(text).toContain("event: done");
    expect(text.length).toBeLessThan(65_536 + 64 * lines.join("").length);
  });

  test("copies of small parts of a large value are kept", async () => {
    const log = memoryLog();
    const patches: AnyPatchOperation[][] = [
      [{ op: "replace", path: "", value: { a: ["x".repeat(100)], b: [] } }],
    ];
    for (let i = 0; i < 2_000; i++) patches.push([{ op: "copy", from: "/a/0", path: "/b/-" }]);
    expect(await errorsOf(log, patches)).toEqual([]);
    expect(await readAgain(log)).toContain("event: done");
  });

  test("readers of the same moment share one patch, and later ones another", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    await writer.append([{ op: "replace", path: "", value: { text: "x" } }]);
    const readers = Array.from({ length: 3 }, () => log.read("run")[Symbol.asyncIterator]());
    const first = await Promise.all(readers.map((reader) => reader.next()));
    expect(new Set(first.map(({ value }) => value as unknown)).size).toBe(1);
    await writer.append([{ op: "append", path: "/text", value: "y" }]);
    const late = log.read("run")[Symbol.asyncIterator]();
    expect((await late.next()).value).toMatchObject({
      patch: [{ op: "replace", path: "", value: { text: "xy" } }],
    });
    for (const reader of [...readers, late]) await reader.return?.();
  });

  test("copies into a large object copy that object once, not once for each patch", async () => {
    const keys = vi.spyOn(Object, "keys");
    const keysFor = async (count: number): Promise<number> => {
      const patches: AnyPatchOperation[][] = [[{ op: "replace", path: "", value: { a: [], b: {} } }]];
      for (let i = 0; i < count; i++) patches.push([{ op: "copy", from: "/a", path: `/b/${i}` }]);
      keys.mockClear();
      expect(await errorsOf(memoryLog(), patches)).toEqual([]);
      return keys.mock.results.reduce((sum, { value }) => sum + (value as string[]).length, 0);
    };
    expect(await keysFor(800)).toBeLessThan(3 * (await keysFor(400)));
    keys.mockRestore();
  });

  test("a patch that is refused leaves nothing of itself in the value", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    await writer.append([{ op: "replace", path: "", value: { a: 1, b: [] } }]);
    await writer.append([{ op: "copy", from: "/a", path: "/b/-" }]);
    const wrong: AnyPatchOperation[] = [
      { op: "remove", path: "/a" },
      { op: "copy", from: "/b", path: "/missing/x" },
    ];
    await expect(async () => writer.append(wrong)).rejects.toMatchObject({ code: "misfit" });
    await writer.append([{ op: "copy", from: "/a", path: "/b/-" }]);
    const late = log.read("run")[Symbol.asyncIterator]();
    expect((await late.next()).value).toMatchObject({ patch: [{ value: { a: 1, b: [1, 1] } }] });
    await late.return?.();
  });
});
