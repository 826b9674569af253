/**
 * Creates twenty parsers of each kind, collects garbage, and prints the number of
 * kinds and of the parsers that are left. A process of its own has a small heap, which is searched in milliseconds.
 */
import { setImmediate } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { JsonParser } from "millrace/json";
import { guardOf } from "millrace/schema";
import { type InWords, parserOf } from "../../support/parser-of.js";

const guard = guardOf({ type: "object", properties: { a: { type: "string" } } });
const kinds: readonly InWords[] = [
  ...[{}, { repair: true }, { repair: true, extract: "auto" as const }],
  ...[{ guard }, { guard, repair: true }],
];
for (let i = 0; i < 20; i++) for (const kind of kinds) parserOf(kind).write('{"a": "b');
// The stack and registers may still refer to some.
await setImmediate();
console.log(JSON.stringify({ kinds: kinds.length, left: queryObjects(JsonParser, { format: "count" }) }));
