import { agent } from "./agent/suite.js";
import { cold } from "./cold.js";
import type { Suite } from "./harness/suite.js";
import { json } from "./json/suite.js";
import { models } from "./models.js";
import { elements } from "./parsers/elements.js";
import { formatGoals, formats } from "./parsers/formats.js";
import { regimes } from "./regimes/suite.js";
import { serve } from "./serve/suite.js";
import { stream } from "./stream.js";

const topics: readonly Suite[] = [
  json,
  regimes,
  agent,
  cold,
  models,
  {
    name: "parsers",
    smoke: /^elements, .*, 1 KB|^list, comma, .*, 1000$|^tool calls, .*, 21 KB|^xml, .*, 16 KB/,
    intro: "Times are in nanoseconds: of a list per item, else per character.",
    goals: formatGoals,
    parts: [...elements, ...formats],
  },
  serve,
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
    goals.filter(({ main }) => main).map((it) => ({ ...it, name: `${suite}: ${it.name}` })),
  ),
};

export const suites: readonly Suite[] = [summary, ...topics];
