/** The documents of the suite, with JSON that real models wrote if there are recordings of it. */
import { existsSync } from "node:fs";
import { recordedChunks } from "../../playground/src/server/recorded-chunks.js";
import { readRecordings } from "../../playground/src/server/recordings.js";
import { collect } from "../../src/stream/collect.js";
import { inputs } from "../inputs.js";

/** A folder beside the repository. */
export const recordingsFolder = "../shared/recordings";
export const hasRecordings = existsSync(recordingsFolder);

type MakeDocument = (size: number, seed?: number) => string | Promise<string>;

const documents: Readonly<Record<string, MakeDocument>> = hasRecordings ? { ...inputs, recordings } : inputs;

export const documentNames: readonly string[] = Object.keys(documents);

/** A document of about `size` KB (1,024 characters). */
export async function documentOf(name: string, size: number, seed?: number): Promise<string> {
  return (documents[name] as MakeDocument)(size * 1024, seed);
}

/** An array that repeats the recorded answers that are a JSON object or array, unchanged. */
async function recordings(size: number): Promise<string> {
  const answers: string[] = [];
  for (const recording of (await readRecordings(recordingsFolder)).values()) {
    const answer = (await collect((await recordedChunks(recording)).chunks)).join("");
    if (isDocument(answer)) answers.push(answer);
  }
  let text = `[${answers[0] ?? ""}`;
  for (let i = 1; text.length < size; i++) text += `, ${answers[i % answers.length] ?? ""}`;
  return `${text}]`;
}

function isDocument(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
