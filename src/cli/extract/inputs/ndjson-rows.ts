import { isObject, type JsonObject, type JsonValue } from "../../../json/value.js";
import { kindName } from "../../../text/kind-name.js";
import { size } from "../../../text/counts.js";
import { openFile } from "../../commands/open-file.js";
import {
  countOf,
  type InputDocument,
  type InputSource,
  maxDocument,
  rowDocument,
  unreadable,
} from "./document.js";
import { exactNumbers } from "./exact-numbers.js";
import { type FileLine, linesOf } from "./lines.js";
import { decoded, notText } from "./text-files.js";

/** Each line of an NDJSON file is a document: an object with columns, or a text. */
export function ndjsonRows(path: string, idColumn: string | undefined): InputSource {
  async function* lines(): AsyncGenerator<FileLine, void, undefined> {
    for await (const line of linesOf(await openFile(path), maxDocument)) {
      if (line.bytes === undefined || /\S/.test(line.bytes.toString("latin1"))) yield line;
    }
  }
  return {
    hasColumns: true,
    async *documents() {
      for await (const line of lines()) yield readRow(line, `${path}:${line.number}`, idColumn);
    },
    count: () => countOf(lines()),
  };
}

function readRow({ bytes }: FileLine, place: string, idColumn: string | undefined): InputDocument {
  if (bytes === undefined) return unreadable(place, undefined, `is longer than ${size(maxDocument)}.`);
  const text = decoded(bytes)?.replace(/^\ufeff/, "");
  if (text === undefined) return unreadable(place, undefined, notText);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return { ...unreadable(place, undefined, `is not JSON: ${(error as Error).message}.`), text };
  }
  if (isObject(value)) {
    const exact = exactNumbers(text);
    return rowDocument(exact === text ? value : (JSON.parse(exact) as JsonObject), place, idColumn);
  }
  if (typeof value === "string" && idColumn === undefined)
    return { place, id: undefined, text: value, columns: {} };
  return { ...unreadable(place, undefined, `is ${kindName(value)}. Each line must be an object.`), text };
}
