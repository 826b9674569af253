/** The parsers of all formats except JSON, which has its own suite. */
import { suiteOf } from "../suite.js";
import type { Suite } from "../suite.js";
import { lists } from "./lists.js";
import { toolCalls } from "./tool-calls.js";
import { xml } from "./xml.js";

export const parsers: Suite = suiteOf("parsers", [lists, toolCalls, xml]);
