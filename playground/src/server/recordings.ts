import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { collect } from "millrace";
import { parserFor } from "./parser-for.js";
import { recordedChunks } from "./recorded-chunks.js";
import { PlaygroundError } from "../playground-error.js";

/** Texts of recordings by name. */
export type Recordings = ReadonlyMap<string, string>;

/**
 * Reads all `.jsonl` files in a folder and its subfolders. Files are read once, so a request can only name a recording
 * and never a path. Recordings without a JSON document are left out.
 *
 * @throws {PlaygroundError} `recordings`
 */
export async function readRecordings(folder: string): Promise<Recordings> {
  try {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = files
      .filter((file) => file.isFile() && file.name.endsWith(".jsonl"))
      .map((file) => join(file.parentPath, file.name))
      .sort();
    const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
    const recordings = new Map<string, string>();
    for (const [i, text] of texts.entries())
      if (await hasDocument(text)) recordings.set(nameOf(relative(folder, paths[i] as string)), text);
    return recordings;
  } catch (cause) {
    const { message } = cause as Error;
    throw new PlaygroundError("recordings", `The recordings in "${folder}" cannot be read: ${message}.`, {
      cause,
    });
  }
}

async function hasDocument(text: string): Promise<boolean> {
  try {
    const { chunks } = await recordedChunks(text);
    const value = parserFor(undefined).parse((await collect(chunks)).join(""));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

function nameOf(path: string): string {
  return path.replaceAll("\\", "/").replace(/\.jsonl$/, "");
}
