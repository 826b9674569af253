import { isDeepStrictEqual } from "node:util";
import type { XmlEvent } from "millrace/xml";
import { joined, type Reading } from "./play.js";

/** The events of saxes for a whole text in our format, up to the first error. */
export interface SaxesResult {
  readonly events: readonly XmlEvent[];
  readonly problem: string | undefined;
}

export function resultOf(text: string, xmlns: boolean): SaxesResult {
  const saxes = new SaxesParser({ xmlns });
  const events: XmlEvent[] = [];
  let depth = 0;
  const note = (event: XmlEvent): void => {
    events.push(event);
  };
  saxes.on("opentag", ({ name, attributes, uri }) => {
    const values = Object.create(null) as Record<string, string>;
    for (const [key, value] of Object.entries(attributes)) {
      values[key] = typeof value === "string" ? value : value.value;
    }
    note({ type: "open", name, depth: depth++, attributes: values, ...(uri !== undefined && { uri }) });
  });
  saxes.on("closetag", ({ name }) => {
    note({ type: "close", name, depth: --depth });
  });
  saxes.on("text", (it) => {
    if (depth > 0) note({ type: "text", text: it, depth });
  });
  saxes.on("cdata", (it) => {
    note({ type: "cdata", text: it, depth });
  });
  saxes.on("comment", (it) => {
    note({ type: "comment", text: it, depth });
  });
  saxes.on("processinginstruction", (it) => {
    note({ type: "instruction", ...it, depth });
  });
  // Without an error handler it throws the first error.
  let problem: string | undefined;
  try {
    saxes.write(text).close();
  } catch (error) {
    problem = (error as Error).message;
  }
  return { events: joined(events), problem };
}

/** Whether a result for the same text agrees with saxes. */
export function agrees({ events, problem }: SaxesResult, reading: Reading): boolean {
  if (problem === undefined) return reading.error === undefined && isDeepStrictEqual(reading.events, events);
  return reading.error !== undefined && begins(events, reading.events);
}

/** Before an error both are equal. How much text saxes reports depends on the next tag. */
function begins(whole: readonly XmlEvent[], part: readonly XmlEvent[]): boolean {
  const untexted = (events: readonly XmlEvent[]): XmlEvent[] =>
    events.filter(({ type }) => type !== "text" && type !== "cdata");
  const some = untexted(part);
  return isDeepStrictEqual(untexted(whole).slice(0, some.length), some);
}

/** Imported by a name that the compiler does not resolve, because its declarations do not compile with our options. */
const name: string = "saxes";
const { SaxesParser } = (await import(name)) as {
  readonly SaxesParser: new (options: { readonly xmlns: boolean }) => Saxes;
};

interface Saxes {
  on(event: "opentag" | "closetag", handler: (tag: Tag) => void): void;
  on(event: "text" | "cdata" | "comment", handler: (text: string) => void): void;
  on(event: "processinginstruction", handler: (it: { target: string; body: string }) => void): void;
  write(text: string): this;
  close(): void;
}

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | { readonly value: string }>>;
  readonly uri?: string;
}
