import type { JsonObject, JsonPatch, JsonValue } from "millrace";
import { Allow } from "millrace/json";
import type { InWords } from "../../support/parser-of.js";

/** A text with the positions of reads, and their results. The last read is after the end. */
export interface Transcript {
  readonly name: string;
  readonly options?: InWords;
  readonly looks: readonly Look[];
}

export interface Look {
  /** The text since the previous read. */
  readonly text: string;
  /** The snapshot. */
  readonly shown: JsonValue | undefined;
  /** The patch since the previous read. */
  readonly patch: JsonPatch;
}

const look = (text: string, shown: JsonValue | undefined, ...patch: JsonPatch): Look => ({
  text,
  shown,
  patch,
});
const root = (value: JsonValue): JsonPatch[number] => ({ op: "replace", path: "", value });
const add = (path: string, value: JsonValue): JsonPatch[number] => ({ op: "add", path, value });
const replace = (path: string, value: JsonValue): JsonPatch[number] => ({ op: "replace", path, value });
const append = (path: string, value: string): JsonPatch[number] => ({ op: "append", path, value });

export const transcripts: readonly Transcript[] = [
  {
    name: "an object that grows",
    looks: [
      look('{"name": "Ad', { name: "Ad" }, root({ name: "Ad" })),
      look('a", "langu', { name: "Ada" }, replace("/name", "Ada")),
      look('ages": [', { name: "Ada", languages: [] }, add("/languages", [])),
      look('"Anal', { name: "Ada", languages: ["Anal"] }, add("/languages/0", "Anal")),
      look('ytical"', { name: "Ada", languages: ["Analytical"] }, replace("/languages/0", "Analytical")),
      look("]}", { name: "Ada", languages: ["Analytical"] }),
    ],
  },
  {
    name: "the same object with append",
    options: { append: true },
    looks: [
      look('{"name": "Ad', { name: "Ad" }, root({ name: "Ad" })),
      look('a", "langu', { name: "Ada" }, append("/name", "a")),
      look('ages": ["An', { name: "Ada", languages: ["An"] }, add("/languages", ["An"])),
      look("alyt", { name: "Ada", languages: ["Analyt"] }, append("/languages/0", "alyt")),
      look(
        'ical", 1]}',
        { name: "Ada", languages: ["Analytical", 1] },
        append("/languages/0", "ical"),
        add("/languages/1", 1),
      ),
    ],
  },
  {
    name: "several values in one patch, one operation for each new value",
    looks: [
      look('{"a": "x', { a: "x" }, root({ a: "x" })),
      look(
        'y", "b": {"c": [1, {"d": "z',
        { a: "xy", b: { c: [1, { d: "z" }] } },
        replace("/a", "xy"),
        add("/b", { c: [1, { d: "z" }] }),
      ),
      look(
        '"}, 2], "e": null}, "f": 3}',
        { a: "xy", b: { c: [1, { d: "z" }, 2], e: null }, f: 3 },
        add("/b/c/2", 2),
        add("/b/e", null),
        add("/f", 3),
      ),
    ],
  },
  {
    name: "an incomplete number is hidden",
    looks: [
      look('{"n":12', {}, root({})),
      look("5", {}),
      look("0,", { n: 1250 }, add("/n", 1250)),
      look('"m":-', { n: 1250 }),
      look("0.5e", { n: 1250 }),
      look("+1", { n: 1250 }),
      look("}", { n: 1250, m: -5 }, add("/m", -5)),
    ],
  },
  {
    name: "an incomplete literal is hidden",
    looks: [
      look("[t", [], root([])),
      look("ru", []),
      look("e", [true], add("/0", true)),
      look(",fals", [true]),
      look("e,n", [true, false], add("/1", false)),
      look("ull]", [true, false, null], add("/2", null)),
    ],
  },
  {
    name: "an incomplete escape is hidden",
    looks: [
      look('["caf', ["caf"], root(["caf"])),
      look("\\", ["caf"]),
      look("u", ["caf"]),
      look("00", ["caf"]),
      look("e", ["caf"]),
      look("9", ["café"], replace("/0", "café")),
      look('\\n\\"', ['café\n"'], replace("/0", 'café\n"')),
      look('\\\\"]', ['café\n"\\'], replace("/0", 'café\n"\\')),
    ],
  },
  {
    name: "half a surrogate pair is hidden, unescaped, escaped or mixed",
    looks: [
      look('["a\ud83d', ["a"], root(["a"])),
      look("\ude00", ["a😀"], replace("/0", "a😀")),
      look("\\ud83d", ["a😀"]),
      look("\\ude", ["a😀"]),
      look("00", ["a😀😀"], replace("/0", "a😀😀")),
      look("\\uD83D\ude00", ["a😀😀😀"], replace("/0", "a😀😀😀")),
      look("\ud83d\\uDE00", ["a😀😀😀😀"], replace("/0", "a😀😀😀😀")),
      look('"]', ["a😀😀😀😀"]),
    ],
  },
  {
    name: "a lone surrogate is shown when it is known to be alone",
    looks: [
      look('["\\ud83d', [""], root([""])),
      look("x", ["\ud83dx"], replace("/0", "\ud83dx")),
      look("\ud83d\ud83d", ["\ud83dx\ud83d"], replace("/0", "\ud83dx\ud83d")),
      look('"', ["\ud83dx\ud83d\ud83d"], replace("/0", "\ud83dx\ud83d\ud83d")),
      look(',"\ude00', ["\ud83dx\ud83d\ud83d", "\ude00"], add("/1", "\ude00")),
      look('"]', ["\ud83dx\ud83d\ud83d", "\ude00"]),
    ],
  },
  {
    name: "an open string is shown, even if it is empty",
    looks: [
      look('{"s":"', { s: "" }, root({ s: "" })),
      look("ab", { s: "ab" }, replace("/s", "ab")),
      look('","e":""', { s: "ab", e: "" }, add("/e", "")),
      look("}", { s: "ab", e: "" }),
    ],
  },
  {
    name: "a key appears with its value, never before it or in part",
    looks: [
      look('{"ke', {}, root({})),
      look('y"', {}),
      look(" :", {}),
      look(" [", { key: [] }, add("/key", [])),
      look("]}", { key: [] }),
    ],
  },
  {
    name: "null at the root is a value",
    looks: [look("nul", undefined), look("l", null, root(null)), look(" ", null)],
  },
  {
    name: "0 at the root is a value after the end of the text",
    looks: [look("0", undefined), look("", 0, root(0))],
  },
  {
    name: "false at the root is a value",
    looks: [look("false", false, root(false))],
  },
  {
    name: "a string at the root grows",
    looks: [
      look('"', "", root("")),
      look("ab", "ab", replace("", "ab")),
      look("c", "abc", replace("", "abc")),
      look('" ', "abc"),
    ],
  },
  {
    name: "a string at the root grows by appends",
    options: { append: true },
    looks: [
      look(' "a', "a", root("a")),
      look("b", "ab", append("", "b")),
      look('c"', "abc", append("", "c")),
    ],
  },
  {
    name: "-0, 1e999 and 17 digits have the values of JSON.parse",
    looks: [
      look("[-0,", [-0], root([-0])),
      look("1e999,", [-0, Infinity], add("/1", Infinity)),
      look("0.10000000000000001,", [-0, Infinity, 0.1], add("/2", 0.1)),
      look("3.1415926535897932]", [-0, Infinity, 0.1, Math.PI], add("/3", Math.PI)),
    ],
  },
  {
    name: "__proto__ is an ordinary member",
    looks: [
      look('{"__proto__": {"a', own({}), root(own({}))),
      look('dmin": true', own({ admin: true }), add("/__proto__/admin", true)),
      look('}, "constructor": 1}', { ...own({ admin: true }), constructor: 1 }, add("/constructor", 1)),
    ],
  },
  {
    name: "a repeated key replaces its member at its position",
    looks: [
      look('{"a": 1, "b": 2', { a: 1 }, root({ a: 1 })),
      look(', "a": "x', { a: "x", b: 2 }, add("/b", 2), replace("/a", "x")),
      look('y", "a"', { a: "xy", b: 2 }, replace("/a", "xy")),
      look(": [", { a: [], b: 2 }, replace("/a", [])),
      look("1]}", { a: [1], b: 2 }, add("/a/0", 1)),
    ],
  },
  {
    name: "a repeated key within one patch is one operation",
    looks: [
      look("{", {}, root({})),
      look('"a": {"x": 1}, "a": 2, "a": [3', { a: [] }, add("/a", [])),
      look('], "a": {"y": "z', { a: { y: "z" } }, replace("/a", { y: "z" })),
      look('z"}, "a": null}', { a: null }, replace("/a", null)),
    ],
  },
  {
    name: "a repeated key within one patch is added if it is new, else replaced",
    looks: [
      look('{"n": [', { n: [] }, root({ n: [] })),
      look(
        '1, 2], "ab": 3, "a": true, "a": false',
        { n: [1, 2], ab: 3, a: false },
        add("/n/0", 1),
        add("/n/1", 2),
        add("/ab", 3),
        add("/a", false),
      ),
      look(', "a": null, "a": true', { n: [1, 2], ab: 3, a: true }, replace("/a", true)),
      look("}", { n: [1, 2], ab: 3, a: true }),
    ],
  },
  {
    name: "a repeated key with another spelling is the same key",
    looks: [look('{"a": 1, "\\u0061": 2', { a: 1 }, root({ a: 1 })), look("}", { a: 2 }, replace("/a", 2))],
  },
  {
    name: "keys are escaped in pointers as in RFC 6901",
    looks: [
      look(
        '{"a/b": {"~": {"": {"~1": [',
        { "a/b": { "~": { "": { "~1": [] } } } },
        root({ "a/b": { "~": { "": { "~1": [] } } } }),
      ),
      look("0]", { "a/b": { "~": { "": { "~1": [0] } } } }, add("/a~1b/~0//~01/0", 0)),
      look("}}}}", { "a/b": { "~": { "": { "~1": [0] } } } }),
    ],
  },
  {
    name: "white space is ignored between tokens, and kept in strings",
    looks: [
      look(" \r\n\t[ ", [], root([])),
      look("\n1 ", [1], add("/0", 1)),
      look('\t,\r"\u00a0 ', [1, "\u00a0 "], add("/1", "\u00a0 ")),
      look('" ]\n ', [1, "\u00a0 "]),
    ],
  },
  {
    name: "a growing string in a hidden container appears with the container",
    options: { allow: Allow.STR | Allow.OBJ },
    looks: [
      look('{"a": ["x', {}, root({})),
      look("y", {}),
      look('z", "', {}),
      look('"]', { a: ["xyz", ""] }, add("/a", ["xyz", ""])),
      look(', "b": "c', { a: ["xyz", ""], b: "c" }, add("/b", "c")),
      look('"}', { a: ["xyz", ""], b: "c" }),
    ],
  },
  {
    name: "a hidden type appears when it is complete",
    options: { allow: 0 },
    looks: [
      look('{"a": [1, "x"], "b": "y"', undefined),
      look("}", { a: [1, "x"], b: "y" }, root({ a: [1, "x"], b: "y" })),
    ],
  },
];

/** An object with an own member `__proto__`. */
function own(value: JsonValue): JsonObject {
  const object: JsonObject = {};
  return Object.defineProperty(object, "__proto__", {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
