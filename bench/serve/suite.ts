/** Serving: many concurrent streams, and bytes on the wire. */
import { suiteOf } from "../suite.js";
import type { Suite } from "../suite.js";
import { load } from "./load.js";
import { wire } from "./wire.js";

export const serve: Suite = suiteOf("serve", [load, wire]);
