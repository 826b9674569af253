import type { XmlEvent } from "millrace";
import { joined } from "./play.js";

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
