import { expect, test } from "vitest";
import {
  collect,
  filter,
  from,
  last,
  map,
  mapAsync,
  type Operator,
  pipe,
  scan,
  tap,
  timeout,
} from "millrace";

test("pipe applies its stages from left to right", async () => {
  const add = (letter: string): Operator<string, string> => map((text) => text + letter);
  expect(await collect(pipe(from([""]), add("a"), add("b"), add("c")))).toEqual(["abc"]);
});

test("pipe without stages returns its source unchanged", () => {
  const source = from([1]);
  expect(pipe(source)).toBe(source);
});

test("pipe throws at once for a stage that is not a function, with its position", () => {
  const missing = undefined as unknown as Operator<number, number>;
  const piping = (): unknown =>
    pipe(
      from([1]),
      map((n) => n),
      missing,
    );
  expect(piping).toThrow(TypeError);
  expect(piping).toThrow("stage 2 is undefined");
});

test.each([
  ["map()", () => map(undefined as never)],
  ["mapAsync()", () => mapAsync(null as never)],
  ["filter()", () => filter(5 as never)],
  ["scan()", () => scan({} as never, 0)],
  ["tap()", () => tap(undefined as never)],
  ["timeout()", () => timeout(undefined as never)],
  ["collect()", () => collect(5 as never)],
  ["last()", () => last(undefined as never)],
  ["pipe()", () => pipe(5 as never)],
])("%s says what it expects", async (name, call) => {
  await expect(Promise.resolve().then(call as () => unknown)).rejects.toThrow(name);
});
