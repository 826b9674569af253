import { Kind } from "#src/json/build/kinds.js";
import { forwardingPlace, forwardingWatch } from "#src/json/forwarding.js";
import type { JsonPlace, JsonWatch } from "millrace/json";
import { LineWatch } from "#src/parsers/patch-lines/line-watch.js";
import { expect, test } from "vitest";

const place = forwardingPlace({ pointer: () => "", container: () => ({}) } as unknown as JsonPlace);

/** Each method of a watch that answers a question. */
const questions = ["knowsKey", "expectsKey", "allowsElement"] as const;

test.each(questions)("a line asks the guard of its value in %s()", (question) => {
  const asked: string[] = [];
  const inner: JsonWatch = {
    ...forwardingWatch(undefined),
    ...Object.fromEntries(questions.map((each) => [each, () => asked.push(each) > 99])),
  };
  const guard = { watch: () => inner };
  const line = new LineWatch(place, undefined, {
    guardOfValue: () => guard,
    pointerOf: (pointer) => pointer,
  });
  line.open(Kind.OBJECT, false);
  line.key("value");
  line.open(Kind.ARRAY, false);
  expect(question === "allowsElement" ? line.allowsElement(Kind.OBJECT) : line[question]("key")).toBe(false);
  expect(asked).toEqual([question]);
});

test("a line expects the members of an operation", () => {
  const line = new LineWatch(place, undefined, {
    guardOfValue: () => undefined,
    pointerOf: (pointer) => pointer,
  });
  line.open(Kind.OBJECT, false);
  expect(["op", "value", "title"].map((key) => line.expectsKey(key))).toEqual([true, true, false]);
  line.key("value");
  line.open(Kind.ARRAY, false);
  expect(line.allowsElement(Kind.OBJECT)).toBe(true);
});
