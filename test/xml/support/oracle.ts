import { isDeepStrictEqual } from "node:util";
import type { XmlEvent } from "millrace";
import { joined, type Reading } from "./play.js";

/** What saxes says of a whole text: its events in our words, up to the first error. */
export interface Verdict {
  readonly events: readonly XmlEvent[];
  readonly problem: string | undefined;
}

export function verdictOf(text: string, xmlns: boolean): Verdict {
  const saxes = new SaxesParser({ xmlns });
  const events: XmlEvent[] = [];
  let depth = 0;
  let problem: string | undefined;
  const note = (event: XmlEvent): void => {
    if (problem === undefined) events.push(event);
  };
  saxes.on("opentag", ({ name, attributes, uri }) => {
    const values = Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        typeof value === "string" ? value : value.value,
      ]),
    );
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
  saxes.on("error", (error) => {
    problem ??= error.message;
  });
  saxes.write(text).close();
  return { events: joined(events), problem };
}

/** Whether a reading of the same text is what saxes says it must be. */
export function agrees({ events, problem }: Verdict, reading: Reading): boolean {
  if (problem === undefined) return reading.error === undefined && sameEvents(reading.events, events);
  return reading.error !== undefined && begins(events, reading.events);
}

/** Before an error both have the same; how much of a text saxes tells depends on what it knows of the next tag. */
function begins(whole: readonly XmlEvent[], part: readonly XmlEvent[]): boolean {
  const untexted = (events: readonly XmlEvent[]): XmlEvent[] =>
    events.filter(({ type }) => type !== "text" && type !== "cdata");
  const some = untexted(part);
  return sameEvents(untexted(whole).slice(0, some.length), some);
}

/** Attributes have no prototype with us. */
function sameEvents(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}

/** Loaded by a name that the compiler does not follow: its declarations do not compile under our flags. */
const name: string = "saxes";
const { SaxesParser } = (await import(name)) as {
  readonly SaxesParser: new (options: { readonly xmlns: boolean }) => Saxes;
};

interface Saxes {
  on(event: "opentag" | "closetag", handler: (tag: Tag) => void): void;
  on(event: "text" | "cdata" | "comment", handler: (text: string) => void): void;
  on(event: "processinginstruction", handler: (it: { target: string; body: string }) => void): void;
  on(event: "error", handler: (error: Error) => void): void;
  write(text: string): this;
  close(): void;
}

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | { readonly value: string }>>;
  readonly uri?: string;
}
