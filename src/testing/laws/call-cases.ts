import type { WireCallDelta } from "./model-wire.js";

/** Ways in which servers send the deltas of calls, each with the calls that they are. */
export const callCases: readonly {
  readonly name: string;
  readonly deltas: readonly WireCallDelta[];
  readonly calls: readonly string[];
}[] = [
  {
    name: "in turn, from index 1",
    deltas: [
      { index: 1, id: "a", name: "f" },
      { index: 2, id: "b", name: "g" },
      { index: 1, args: '{"a":' },
      { index: 2, args: "{}" },
      { index: 1, args: "1}" },
    ],
    calls: ['call f {"a":1}', "call g {}"],
  },
  {
    name: "with a name in pieces",
    deltas: [
      { index: 0, id: "a", name: "get_" },
      { index: 0, name: "time" },
      { index: 0, args: "{}" },
    ],
    calls: ["call get_time {}"],
  },
  {
    name: "with an id after the name",
    deltas: [
      { index: 0, name: "f" },
      { index: 0, id: "a" },
      { index: 0, args: "{}" },
    ],
    calls: ["call f {}"],
  },
  {
    name: "without an index",
    deltas: [
      { id: "a", name: "f", args: '{"a":' },
      { args: "1}" },
      { id: "b", name: "f", args: '{"a":' },
      { args: "2}" },
    ],
    calls: ['call f {"a":1}', 'call f {"a":2}'],
  },
  {
    name: "with one index for two ids",
    deltas: [
      { index: 0, id: "a", name: "f", args: "{}" },
      { index: 0, id: "b", name: "f", args: "{}" },
    ],
    calls: ["call f {}", "call f {}"],
  },
  {
    name: "without ids, each whole",
    deltas: [
      { index: 0, name: "f", args: "{}" },
      { index: 0, name: "f", args: "{}" },
    ],
    calls: ["call f {}", "call f {}"],
  },
  {
    name: "with the id and name repeated, empty or null",
    deltas: [
      { index: 0, id: "a", name: "f", args: "" },
      { index: 0, id: "a", name: "f", args: '{"a":' },
      { index: 0, id: "", name: "", args: "1" },
      { index: 0, id: null, name: null, args: "}" },
    ],
    calls: ['call f {"a":1}'],
  },
];
