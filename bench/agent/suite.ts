/** The agent: what the engine costs, how soon tools start, and the processor time beside the agents of others. */
import type { Section } from "../parsers/section.js";
import type { Suite } from "../suite.js";
import { overhead } from "./overhead.js";
import { processor } from "./processor.js";
import { toolStart } from "./tool-start.js";

const sections: readonly Section[] = [overhead, toolStart, processor];

export const agent: Suite = {
  name: "agent",
  cases: sections.flatMap(({ cases }) => cases),
  milliseconds: 300,
  smoke: (id) => sections.some(({ smoke }) => smoke(id)),
  report: (results) => sections.map((section) => section.report(results)).join("\n\n"),
};
