import type { ExtractPrompt } from "./prompt.js";
import type { InputDocument, InputSource } from "./inputs/document.js";
import { contentBits, contentHash, type SeenTable } from "./seen-table.js";

/** A document to ask the model about. */
export interface AskedDocument {
  readonly id: string;
  readonly content: string;
  readonly place: string;
  readonly prompt: string;
}

/** A document that is not asked about. */
export interface RefusedDocument extends Omit<AskedDocument, "prompt"> {
  readonly kind: "input" | "duplicate_id" | "changed";
  /** A sentence. */
  readonly message: string;
}

/** The kinds of wrong inputs. */
export const inputKinds: ReadonlySet<unknown> = new Set<RefusedDocument["kind"]>([
  "input",
  "duplicate_id",
  "changed",
]);

export interface DocumentsOptions {
  readonly sources: readonly InputSource[];
  readonly prompt: ExtractPrompt;
  readonly seen: SeenTable;
  /** The file of the objects, for messages. */
  readonly out: string;
  readonly onRefused: (document: RefusedDocument) => Promise<void>;
}

/**
 * The documents that are not done. Each has an id: its own, or else the hash of its content, with a number if the same
 * content occurs again. So lines may be added, removed and moved between two runs.
 */
export async function* documentsToDo(
  options: DocumentsOptions,
): AsyncGenerator<AskedDocument, void, undefined> {
  for (const source of options.sources) {
    for await (const document of source.documents()) {
      const checked = check(document, options);
      if (checked === undefined) continue;
      if ("prompt" in checked) yield checked;
      else await options.onRefused(checked);
    }
  }
}

function check(
  document: InputDocument,
  { prompt, seen, out }: DocumentsOptions,
): AskedDocument | RefusedDocument | undefined {
  const { place, text, problem } = document;
  const asked = problem === undefined ? prompt.of(document) : { problem };
  const content = contentHash("prompt" in asked ? asked.prompt : `${place} ${text}`);
  const id = document.id ?? idOf(content, seen);
  const facts = { id, content, place };
  const refused = (kind: RefusedDocument["kind"], message: string): RefusedDocument => ({
    ...facts,
    kind,
    message,
  });
  const { read, done } = seen.read(id);
  if (read) return refused("duplicate_id", `${place}: another document has the id ${JSON.stringify(id)}.`);
  if ("problem" in asked) return refused("input", `${place} ${asked.problem}`);
  if (done === undefined) return { ...facts, prompt: asked.prompt };
  if (done === contentBits(content)) return undefined;
  return refused(
    "changed",
    `${place} has changed since its object was written. To extract it again, remove its line from "${out}".`,
  );
}

function idOf(content: string, seen: SeenTable): string {
  const times = seen.count(content);
  return times === 1 ? content : `${content}-${times}`;
}
