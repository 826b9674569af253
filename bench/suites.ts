import { agent } from "./agent/suite.js";
import { cold } from "./cold.js";
import { json } from "./json/suite.js";
import { models } from "./models/suite.js";
import { parsers } from "./parsers/suite.js";
import { serve } from "./serve/suite.js";
import { stream } from "./stream.js";
import type { Suite } from "./suite.js";

/** `npm run bench` runs the first one by default. */
export const suites: readonly Suite[] = [json, agent, cold, models, parsers, serve, stream];
