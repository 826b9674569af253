import { agent } from "./agent/suite.js";
import { cold } from "./cold.js";
import { goal, type Suite } from "./harness/suite.js";
import { json } from "./json/suite.js";
import { decoding, decodingGoals } from "./models/decoding.js";
import { merging, mergingGoals } from "./models/merging.js";
import { elements } from "./parsers/elements.js";
import { listGoals, lists } from "./parsers/lists.js";
import { toolCallGoal, toolCalls } from "./parsers/tool-calls.js";
import { xml, xmlGoals } from "./parsers/xml.js";
import { regimes } from "./regimes/suite.js";
import { loadGoals, loadIntro } from "./serve/load.js";
import { wire, wireGoals } from "./serve/wire.js";
import { stream } from "./stream.js";

const topics: readonly Suite[] = [
  json,
  regimes,
  agent,
  cold,
  {
    name: "models",
    smoke: /16 KB$|, 1000$/,
    goals: [...decodingGoals, ...mergingGoals],
    parts: [...decoding, merging],
  },
  {
    name: "parsers",
    smoke: /^elements, (?!BAML).*, 1 KB| list of 1000$|^tool calls, .*, 21 KB|^xml, .*, 16 KB/,
    goals: [...listGoals, toolCallGoal, ...xmlGoals],
    parts: [...elements, lists, toolCalls, xml],
  },
  {
    name: "serve",
    smoke: /^load, each.*, p99 delay$|^bytes, contacts, (millrace, append|RFC 6902, replace)$/,
    intro: loadIntro,
    goals: [...loadGoals, ...wireGoals],
    parts: [wire],
  },
  stream,
];

/** `npm run bench` alone: the goals that decide. The suites have the times and more cases. */
const summary: Suite = {
  name: "summary",
  milliseconds: 60,
  smoke: /^KB of an open stream after 1,/,
  intro:
    "The suite before the colon has the times and more cases: `npm run bench SUITE`. JSON is contacts of 1 MB.",
  goals: topics.flatMap(({ name: suite, goals }) =>
    goals
      .filter(({ main }) => main)
      .map(({ name, result, bound }) => goal(`${suite}: ${name}`, result, bound)),
  ),
};

export const suites: readonly Suite[] = [summary, ...topics];
