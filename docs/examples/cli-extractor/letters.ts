import { readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Letter {
  readonly name: string;
  readonly path: string;
}

/** The text files of a folder, by name. */
export async function lettersIn(folder: string): Promise<readonly Letter[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".txt")).sort();
  if (names.length === 0) throw new Error(`There are no .txt files in ${folder}.`);
  return names.map((name) => ({ name, path: join(folder, name) }));
}
