import { describe } from "vitest";
import { testRepairs } from "../json/support/repair-transcripts.js";

describe("a backslash in a path", () => {
  testRepairs([
    {
      text: String.raw`["C:\Users\new\b.txt"]`,
      value: ["C:\\Users\\new\\b.txt"],
      repairs: [
        ["escape", 4],
        ["escape", 10],
        ["escape", 14],
      ],
    },
    {
      text: String.raw`["C:\temp\data"]`,
      value: ["C:\\temp\\data"],
      repairs: [
        ["escape", 4],
        ["escape", 9],
      ],
    },
    {
      text: String.raw`["a\\b\users\t1"]`,
      value: ["a\\b\\users\\t1"],
      repairs: [
        ["escape", 6],
        ["escape", 12],
      ],
    },
    {
      text: String.raw`["C:\Users\x\new\b.txt"]`,
      value: ["C:\\Users\\x\\new\\b.txt"],
      repairs: [
        ["escape", 4],
        ["escape", 10],
        ["escape", 12],
        ["escape", 16],
      ],
    },
    {
      text: String.raw`["C:\a\b\n"]`,
      value: ["C:\\a\\b\n"],
      repairs: [
        ["escape", 4],
        ["escape", 6],
      ],
    },
    // All of these are escapes, and a capital letter begins a line.
    { text: String.raw`["C:\new\temp"]`, value: ["C:\new\temp"], repairs: [] },
    { text: String.raw`["C:\dir\nThen"]`, value: ["C:\\dir\nThen"], repairs: [["escape", 4]] },
  ]);
});

describe("a backslash in a formula or a pattern", () => {
  testRepairs([
    {
      text: String.raw`["\frac \alpha"]`,
      value: ["\\frac \\alpha"],
      repairs: [
        ["escape", 2],
        ["escape", 8],
      ],
    },
    {
      text: String.raw`["\tau \pi \nu"]`,
      value: ["\\tau \\pi \\nu"],
      repairs: [
        ["escape", 2],
        ["escape", 7],
        ["escape", 11],
      ],
    },
    {
      text: String.raw`["\d\b"]`,
      value: ["\\d\\b"],
      repairs: [
        ["escape", 2],
        ["escape", 4],
      ],
    },
    { text: String.raw`["a\n\d", "b\nc"]`, value: ["a\n\\d", "b\nc"], repairs: [["escape", 5]] },
    { text: String.raw`["\d')\nb"]`, value: ["\\d')\nb"], repairs: [["escape", 2]] },
    {
      text: String.raw`["\(\frac{1}{2}\)"]`,
      value: ["\\(\\frac{1}{2}\\)"],
      repairs: [
        ["escape", 2],
        ["escape", 4],
        ["escape", 15],
      ],
    },
    {
      text: String.raw`["a\n\[x \neq \theta\]\ne.g. b"]`,
      value: ["a\n\\[x \\neq \\theta\\]\ne.g. b"],
      repairs: [
        ["escape", 5],
        ["escape", 9],
        ["escape", 14],
        ["escape", 20],
      ],
    },
    {
      text: String.raw`["\theta\}"]`,
      value: ["\\theta\\}"],
      repairs: [
        ["escape", 2],
        ["escape", 8],
      ],
    },
    { text: String.raw`["\frac \tau"]`, value: ["\frac \tau"], repairs: [] },
    {
      text: String.raw`["a \(b\)\tc"]`,
      value: ["a \\(b\\)\tc"],
      repairs: [
        ["escape", 4],
        ["escape", 7],
      ],
    },
  ]);
});

describe("a backslash before the closing quote", () => {
  testRepairs([
    {
      text: String.raw`{"a": "D:\d\", "b": 1}`,
      value: { a: "D:\\d\\", b: 1 },
      repairs: [
        ["escape", 9],
        ["escape", 11],
      ],
    },
    {
      text: String.raw`["D:\\d\", "E:\t\"]`,
      value: ["D:\\d\\", "E:\\t\\"],
      repairs: [
        ["escape", 7],
        ["escape", 14],
        ["escape", 16],
      ],
    },
    {
      text: String.raw`{"a": "\d \"b\", \"c\"", "d": 1}`,
      value: { a: '\\d "b", "c"', d: 1 },
      repairs: [["escape", 7]],
    },
    { text: String.raw`{"a": "C:\"}`, value: { a: "C:\\" }, repairs: [["escape", 9]] },
    { text: String.raw`{"a": "A:\", b", "c": 1}`, value: { a: 'A:", b', c: 1 }, repairs: [] },
    { text: String.raw`{"a": "C:\\d\"}", "b": 1}`, value: { a: 'C:\\d"}', b: 1 }, repairs: [] },
  ]);
});
