import { open } from "node:fs/promises";
import { size } from "../../../text/counts.js";
import { reasonOf } from "../../commands/open-file.js";
import { countOf, type InputDocument, type InputSource, maxDocument, unreadable } from "./document.js";
import { matchingFiles } from "./glob.js";

/** Each file is a document. */
export function textFiles(pattern: string): InputSource {
  return {
    hasColumns: false,
    async *documents() {
      for await (const path of matchingFiles(pattern)) yield await readDocument(path);
    },
    count: () => countOf(matchingFiles(pattern)),
  };
}

async function readDocument(path: string): Promise<InputDocument> {
  let bytes: Uint8Array;
  try {
    const file = await open(path);
    try {
      const { size: length } = await file.stat();
      if (length > maxDocument) {
        return unreadable(
          path,
          path,
          `is too large: it has ${size(length)}, and may have ${size(maxDocument)}.`,
        );
      }
      bytes = await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    return unreadable(path, path, `cannot be read: ${reasonOf(error)}.`);
  }
  const text = decoded(bytes);
  if (text === undefined) return unreadable(path, path, notText);
  if (text.trim() === "") return unreadable(path, path, "is empty.");
  return { place: path, id: path, text, columns: {} };
}

export const notText = "is not UTF-8 text. Convert binary formats such as PDF to text first.";

/** The text of UTF-8 bytes. `undefined` if they are not UTF-8, or contain the character 0, as binary files do. */
export function decoded(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
