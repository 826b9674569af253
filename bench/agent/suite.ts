/** The agent: what the engine costs, how soon tools start, and the processor time beside the agents of others. */
import { suiteOf } from "../suite.js";
import type { Suite } from "../suite.js";
import { overhead } from "./overhead.js";
import { processor } from "./processor.js";
import { toolStart } from "./tool-start.js";

export const agent: Suite = suiteOf("agent", [overhead, toolStart, processor]);
