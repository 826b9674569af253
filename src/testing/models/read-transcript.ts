import { excerpt } from "../../text/excerpt.js";
import { isRecord, type Loose } from "../../models/loose.js";
import { type TranscriptLine, transcriptHeader } from "../../models/transcript.js";
import { from } from "../../stream/sources/from.js";
import { TranscriptError } from "./transcript-error.js";
import { parsedJson } from "../../text/json-text.js";

/** The output of `record()`: the text, its lines, or a stream of text or UTF-8 bytes with chunks of any size. */
export type TranscriptInput =
  | string
  | readonly string[]
  | ReadableStream<string>
  | ReadableStream<Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/** Returns the lines after the header. The last one says how the recorded stream ended. */
export async function readTranscript(input: TranscriptInput): Promise<TranscriptLine[]> {
  const text = await textOf(input);
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.at(-1)?.trim() === "") lines.pop();
  checkHeader(lines[0] ?? "");
  const entries: TranscriptLine[] = [];
  for (let at = 1; at < lines.length; at++) {
    const isLast = at === lines.length - 1;
    const entry = readLine(lines[at] as string, at + 1, isLast);
    if (!isLast && !("value" in entry)) {
      throw new TranscriptError("invalid_line", at + 1, "ends the transcript, but more lines follow.");
    }
    const before = entries.at(-1);
    if (before !== undefined && entry.t < before.t) {
      throw new TranscriptError("invalid_line", at + 1, "has an earlier time than the line before it.");
    }
    entries.push(entry);
  }
  const last = entries.at(-1);
  if (last === undefined || "value" in last) {
    throw new TranscriptError(
      "cut",
      lines.length,
      "is the last one, but does not say how the stream ended. The recording was cut.",
    );
  }
  return entries;
}

async function textOf(input: TranscriptInput): Promise<string> {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.join("\n");
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of from<string | Uint8Array>(input as AsyncIterable<string | Uint8Array>)) {
    text += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function checkHeader(line: string): void {
  const header = parsedJson(line);
  const { millrace, version } = transcriptHeader;
  if (!isRecord(header) || header["millrace"] !== millrace) {
    const got = line === "" ? "nothing" : excerpt(line);
    const expected = JSON.stringify(transcriptHeader);
    throw new TranscriptError("not_a_transcript", 1, `must be the header, ${expected}, but is ${got}`);
  }
  if (header["version"] !== version) {
    throw new TranscriptError(
      "version",
      1,
      `has version ${JSON.stringify(header["version"])}, but this package reads version ${version}.`,
    );
  }
}

function readLine(line: string, number: number, isLast: boolean): TranscriptLine {
  const entry = parsedJson(line);
  if (entry === undefined && isLast) {
    throw new TranscriptError("cut", number, `is incomplete: ${excerpt(line)} The recording was cut.`);
  }
  if (!isRecord(entry) || !isLine(entry)) {
    throw new TranscriptError(
      "invalid_line",
      number,
      `must be {t, value}, {t, end}, {t, error} or {t, left}, but is ${excerpt(line)}`,
    );
  }
  return entry;
}

function isLine(entry: Loose): entry is Loose & TranscriptLine {
  const { t } = entry;
  if (typeof t !== "number" || !(t >= 0)) return false;
  return "value" in entry || entry["end"] === true || entry["left"] === true || "error" in entry;
}
