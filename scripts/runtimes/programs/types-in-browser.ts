/** A page's program: no package may bring the types of Node, whose timers are objects. Compiled, and never run. */
import { jsonParser, pipe } from "millrace";
import { addIncrements, XmlParser } from "millrace/xml";
import { createAgent } from "millrace/agent";
import { createPatchStore } from "millrace/client";
import { JsonParser } from "millrace/json";
import { openai } from "millrace/openai";
import { toEventStream } from "millrace/serve";

export const timer: number = setTimeout(() => {}, 1);
export const all: readonly unknown[] = [
  addIncrements,
  createAgent,
  createPatchStore,
  jsonParser,
  JsonParser,
  openai,
  pipe,
  toEventStream,
  XmlParser,
];
