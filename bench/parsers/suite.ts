/** Parsers of all formats but JSON, which has a suite of its own. */
import type { Suite } from "../suite.js";
import { lists } from "./lists.js";
import type { Section } from "./section.js";
import { toolCalls } from "./tool-calls.js";
import { xml } from "./xml.js";

const sections: readonly Section[] = [lists, toolCalls, xml];

export const parsers: Suite = {
  name: "parsers",
  cases: sections.flatMap(({ cases }) => cases),
  milliseconds: 300,
  smoke: (id) => sections.some(({ smoke }) => smoke(id)),
  report: (results) => sections.map((section) => section.report(results)).join("\n\n"),
};
