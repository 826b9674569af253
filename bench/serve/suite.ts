/** The wire: many streams at once, and what they weigh. */
import { suiteOf } from "../section.js";
import type { Suite } from "../suite.js";
import { load } from "./load.js";
import { wire } from "./wire.js";

export const serve: Suite = suiteOf("serve", [load, wire]);
