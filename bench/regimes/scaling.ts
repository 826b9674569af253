/** Snapshots of documents whose open containers are large. */
import { copied, cuts } from "../chunks.js";
import { type Figure, scaled, timed } from "../figures.js";
import { documentOf } from "../json/documents.js";
import { readers } from "../json/readers.js";
import { list } from "../random.js";
import { oneRun } from "./programs.js";

export type SnapshotReader = "snapshots" | "jsonriver";

/** Nanoseconds per character, with a snapshot for each 64 characters. */
export function snapshotCost(reader: SnapshotReader, document: string, size: number): Figure {
  return timed(`${reader}, ${document}, ${size} KB, 64`, async () => {
    const text = await documentOf(document, size);
    const chunks = cuts["64"](text);
    const read = await readers[reader]();
    return { units: text.length, run: () => read(chunks) };
  });
}

/** The same in milliseconds for the document. */
export function snapshotTime(reader: SnapshotReader, document: string, size: number): Figure {
  return scaled(snapshotCost(reader, document, size), (size * 1024) / 1e6);
}

/** Microseconds per key of an object with so many keys, one in each chunk. */
export function keyCost(reader: SnapshotReader, keys: number): Figure {
  const figure = timed(`${reader}, ${keys} keys`, async () => {
    const members = list(keys, (i) => copied(`${i === 0 ? "{" : ","}"key_${1_000_000 + i}":${i}`));
    const chunks = [...members, "}"];
    const read = await readers[reader]();
    return { units: keys * 1_000, run: () => read(chunks) };
  });
  return figure;
}

/** Milliseconds for such an object. */
export function keysTime(reader: SnapshotReader, keys: number): Figure {
  return scaled(keyCost(reader, keys), (keys * 1_000) / oneRun);
}
