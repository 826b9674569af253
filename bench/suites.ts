import { overhead } from "./agent/overhead.js";
import { processor } from "./agent/processor.js";
import { cold } from "./cold.js";
import { json } from "./json/suite.js";
import { decoding } from "./models/decoding.js";
import { merging } from "./models/merging.js";
import { regimes } from "./regimes/suite.js";
import { elements } from "./parsers/elements.js";
import { lists } from "./parsers/lists.js";
import { toolCalls } from "./parsers/tool-calls.js";
import { xml } from "./parsers/xml.js";
import { load } from "./serve/load.js";
import { wire } from "./serve/wire.js";
import { stream } from "./stream.js";
import type { Suite } from "./suite.js";
import { summary } from "./summary.js";

/** `npm run bench` runs the first one by default. */
export const suites: readonly Suite[] = [
  summary,
  json,
  regimes,
  {
    name: "agent",
    smoke: /^overhead, tool strategy, events, 64 KB|^processor, .*tool strategy, 4 KB/,
    parts: [overhead, ...processor],
  },
  { name: "cold", smoke: /^millrace\/json$/, parts: cold },
  { name: "models", smoke: /16 KB$|, 1000$/, parts: [...decoding, merging] },
  {
    name: "parsers",
    smoke: /^elements, (?!BAML).*, 1 KB| list of 1000$|^tool calls, .*, 21 KB|^xml, .*, 16 KB/,
    parts: [...elements, ...lists, toolCalls, ...xml],
  },
  {
    name: "serve",
    smoke: /^load, 100 streams, each.*, p99 delay$|^bytes, contacts, (millrace, append|RFC 6902, replace)$/,
    parts: [load, ...wire],
  },
  { name: "stream", milliseconds: 200, smoke: /./, parts: [stream] },
];
