import fc from "fast-check";
import fastJsonPatch from "fast-json-patch";
import { type Chunk, from, type JsonValue, type Operator, patchLines, pipe } from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
import { everyWay, operatorLaws, randomPartitions } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { charactersOf, linesOf, readLines } from "../../parsers/patch-lines/support/read-lines.js";
import { runs } from "../../json/support/runs.js";
import { expectSame } from "../../json/support/same-json.js";

// G-stream-1
describe("the views of patchLines() keep the laws:", () => {
  const text =
    'Sure:\n{"op":"add","path":"/a","value":["x"]}\n{"op":"append","path":"/a/0","value":"yz"}\nDone.';
  const cut = (): Iterable<readonly string[]> => everyWay(text, { count: 20 });
  const newest = (outputs: readonly unknown[]): unknown => outputs.at(-1);
  const sum = (outputs: readonly unknown[]): unknown =>
    applyPatch(undefined, (outputs as AnyPatchOperation[][]).flat());
  const views: [string, () => Operator<Chunk, unknown>, (outputs: readonly unknown[]) => unknown][] = [
    [".snapshots", () => patchLines().snapshots, newest],
    [".patches", () => patchLines({ append: true }).patches, sum],
    [
      ".stream",
      () => patchLines().stream,
      (outputs) => sum(outputs.map((it) => (it as { patch: unknown }).patch).flat()),
    ],
    [".final", () => patchLines().final, newest],
  ];
  for (const [view, create, result] of views) {
    const laws = operatorLaws<Chunk, unknown>(create, {
      inputs: [text.slice(0, 60), text.slice(60)],
      cut,
      result,
    });
    test.concurrent.each(laws)(`${view} $name`, (law) => law.check());
  }
});

/** Operations that fit the document: each choice picks an operation and a place of the value so far. */
function operationsFor(choices: readonly (readonly [number, number, JsonValue])[]): AnyPatchOperation[] {
  let value: JsonValue = {};
  const operations: AnyPatchOperation[] = [];
  for (const [kind, pick, added] of choices) {
    const operation = operationAt(value, kind, pick, added);
    if (operation === undefined) continue;
    operations.push(operation);
    value = applyPatch(value, [operation]);
  }
  return operations;
}

function operationAt(
  value: JsonValue,
  kind: number,
  pick: number,
  added: JsonValue,
): AnyPatchOperation | undefined {
  const places = placesIn(value);
  const containers = places.filter(({ value: it }) => typeof it === "object" && it !== null);
  const at = <T>(list: readonly T[]): T | undefined => list[pick % Math.max(1, list.length)];
  const container = at(containers);
  const inside = at(places.filter(({ pointer }) => pointer !== ""));
  const isArray = Array.isArray(container?.value);
  const key = isArray ? (pick % 2 === 0 ? "-" : "0") : ["a", "b~1", "c d", ""][pick % 4];
  const path = `${container?.pointer ?? ""}/${key}`;
  if (kind < 4) return container && { op: "add", path, value: added };
  if (kind === 4) return inside && { op: "replace", path: inside.pointer, value: added };
  if (kind === 5) return inside && { op: "remove", path: inside.pointer };
  if (kind === 6) return inside && container && { op: "copy", from: inside.pointer, path };
  if (kind === 7) return inside && { op: "test", path: inside.pointer, value: inside.value };
  if (kind === 8 && inside && container && !path.startsWith(`${inside.pointer}/`) && !isArray)
    return { op: "move", from: inside.pointer, path };
  return undefined;
}

function placesIn(value: JsonValue, pointer = ""): { readonly pointer: string; readonly value: JsonValue }[] {
  const children = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const inner = children.flatMap(([key, it]) =>
    placesIn(it, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [{ pointer, value }, ...inner];
}

const leaf = fc.constantFrom<JsonValue>("", "Tea", 'a "b"\n{', 1.5, null, true);
const json = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("x", "y/z"), leaf),
);
const choices = fc.array(fc.tuple(fc.nat(8), fc.nat(1_000), json), { minLength: 1, maxLength: 12 });
const between = fc.constantFrom("", "Then:\n", "```jsonl\n", "```\n", "\n \n", 'He said "hi" {now}.\n');

/** fast-json-patch as the oracle. */
function peer(operations: readonly AnyPatchOperation[]): unknown {
  return fastJsonPatch.applyPatch({}, structuredClone(operations) as fastJsonPatch.Operation[], true, true)
    .newDocument;
}

describe("patchLines()", () => {
  test("after each complete line the snapshot is what fast-json-patch makes of the operations so far", async () => {
    await fc.assert(
      fc.asyncProperty(
        choices,
        fc.infiniteStream(between),
        fc.integer({ min: 1, max: 40 }),
        async (picked, fill, size) => {
          const operations = operationsFor(picked);
          fc.pre(operations.length > 0);
          let value: JsonValue | undefined;
          let begun = 0;
          async function* pieces(): AsyncGenerator<string> {
            for (const operation of operations) {
              yield fill.next().value ?? "";
              begun++;
              // A piece ends where a line does, so the change of each line is complete before the next one begins.
              yield* linesOf(operation).match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
            }
          }
          for await (const { patch, growing } of pipe(
            pieces(),
            patchLines({ append: size % 2 === 0 }).stream,
          )) {
            value = applyPatch(value, patch);
            if (!growing) expectSame(value, peer(operations.slice(0, begun)));
          }
          expect(value ?? {}).toEqual(peer(operations));
        },
      ),
      { numRuns: Math.min(runs, 300) },
    );
  });

  test("patches add up to the snapshots, for any cut", async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.integer({ min: 1, max: 1e6 }), async (picked, seed) => {
        const operations = operationsFor(picked);
        fc.pre(operations.some(({ op }) => op !== "test"));
        const text = linesOf(...operations);
        for (const chunks of randomPartitions(text, { seed, count: 2 })) {
          const parser = patchLines({ append: seed % 2 === 0 });
          const snapshots = pipe(from(chunks), parser.snapshots)[Symbol.asyncIterator]();
          let value: JsonValue | undefined;
          const kept: [JsonValue, string][] = [];
          for await (const patch of pipe(from(chunks), parser.patches)) {
            value = applyPatch(value, patch);
            const snapshot = (await snapshots.next()).value as JsonValue;
            expectSame(value, snapshot);
            kept.push([snapshot, JSON.stringify(snapshot)]);
          }
          expect((await snapshots.next()).done).toBe(true);
          for (const [snapshot, before] of kept) expect(JSON.stringify(snapshot)).toBe(before);
        }
      }),
      { numRuns: Math.min(runs, 100) },
    );
  });

  test("1,000 mutated streams lose no line silently", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const lineOf = (name: string): string =>
      linesOf({ op: "add", path: `/${name}`, value: { [name]: [name, 1] } });
    const mutation = fc.record({
      line: fc.nat(names.length - 1),
      at: fc.nat(60),
      kind: fc.nat(2),
      character: fc.constantFrom(...charactersOf("{}[]\",:\\'x1 `")),
    });
    let mutated = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 60 }),
        async (list, size) => {
          const lines = names.map(lineOf);
          for (const { line, at, kind, character } of list) {
            const text = (lines[line] as string).slice(0, -1);
            const place = at % text.length;
            const piece = kind === 0 ? "" : character;
            lines[line] = `${text.slice(0, place)}${piece}${text.slice(kind === 2 ? place : place + 1)}\n`;
          }
          const text = lines.join("");
          const { errors, repairs, value, failure } = await readLines(
            text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [],
          );
          mutated++;
          let start = 0;
          for (const [i, line] of lines.entries()) {
            const end = start + line.length;
            const name = names[i] as string;
            const from = start;
            const isWhole = line === lineOf(name);
            const intact =
              JSON.stringify((value as Record<string, unknown> | undefined)?.[name]) ===
              JSON.stringify({ [name]: [name, 1] });
            // The last line may be one in which the output ends.
            const isReported =
              [...errors, ...repairs].some(({ offset }) => offset >= from && offset <= end) ||
              (failure !== undefined && i === names.length - 1);
            // A changed line may be a correct line: it adds another value, or at another place.
            const isCorrect = !isWhole && isOperation(line);
            if (!intact && !isReported && !isCorrect) throw new Error(`Lost line ${i}: ${line}\nin\n${text}`);
            start = end;
          }
        },
      ),
      { numRuns: 1_000 },
    );
    expect(mutated).toBeGreaterThanOrEqual(1_000);
  });
});

/** Whether JSON reads the line as an operation that fits. */
function isOperation(line: string): boolean {
  try {
    const { op, path } = JSON.parse(line) as Partial<Record<string, unknown>>;
    return op === "add" && typeof path === "string";
  } catch {
    return false;
  }
}
