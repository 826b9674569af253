/** Parsers of all formats but JSON, which has a suite of its own. */
import { suiteOf } from "../section.js";
import type { Suite } from "../suite.js";
import { lists } from "./lists.js";
import { toolCalls } from "./tool-calls.js";
import { xml } from "./xml.js";

export const parsers: Suite = suiteOf("parsers", [lists, toolCalls, xml]);
