import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { FileJournal } from "../../durable/index.js";
import { OutputError } from "../terminal/output-error.js";
import { UsageError } from "../terminal/usage-error.js";

/** The values that must stay the same while a run continues, by their names in messages. */
export type RunIdentity = Readonly<Record<"schema" | "prompt" | "system" | "model", string>>;

/**
 * Opens the journal of a run, in a folder beside its output: it has what the run was started with, and lets one process
 * at a time work on it, also after `kill -9`.
 *
 * @throws {UsageError} if another process works on the output, if the run was started with something else, or if one
 *   of the files is not a file of this command
 * @throws {OutputError} if the folder cannot be written
 */
export async function openRunFolder(
  { out, errors }: { readonly out: string; readonly errors: string },
  identity: RunIdentity,
  acceptChanges: boolean,
): Promise<FileJournal> {
  const folder = `${out}.run`;
  const isNew = (await stat(folder).catch(() => undefined)) === undefined;
  await checkFile(out, isNew);
  await checkFile(errors, isNew);
  const { DurableError, fileJournal } = await import("../../durable/index.js"); // an entry, so a file of the package
  const journal = fileJournal(folder);
  try {
    const begun = (await journal.step("run", () =>
      Promise.resolve<JsonValue>({ ...identity }),
    )) as JsonObject;
    const changed = Object.entries(identity).filter(([name, value]) => begun[name] !== value);
    const names = changed.map(([name]) => name).join(" and ");
    if (changed.length > 0 && !acceptChanges) {
      throw new UsageError(
        `The ${names} changed since the run of "${out}" began, so its objects would be of two kinds. ` +
          "Choose another --out, or add --accept-changes to continue in the same file.",
      );
    }
    return journal;
  } catch (error) {
    await journal.close();
    if (!(error instanceof DurableError)) throw error;
    if (error.code === "owned")
      throw new UsageError(`Another process is working on "${out}".`, { cause: error });
    throw new OutputError(error);
  }
}

/** Refuses what this command cannot continue: a file that something else wrote, and what is not a file. */
async function checkFile(path: string, isNew: boolean): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  const kind = path === "-" ? "standard output" : stats && kindOf(stats);
  if (kind !== undefined) {
    throw new UsageError(
      `--out must be a file, because the command continues from it, but "${path}" is ${kind}.`,
    );
  }
  if (isNew && (stats?.size ?? 0) > 0) {
    throw new UsageError(`"${path}" exists, and millrace extract has not written it. Choose another --out.`);
  }
}

/** `undefined` for a file. */
function kindOf(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return "a directory";
  return stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
}

/** The id of a run, under which an engine knows it. */
export async function runIdOf(folder: FileJournal): Promise<string> {
  return await folder.step("id", () => Promise.resolve(randomUUID()));
}
