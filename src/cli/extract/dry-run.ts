import { abortable } from "../../stream/operators/abortable.js";
import { pipe } from "../../stream/pipe.js";
import { count, counted } from "../../text/counts.js";
import type { Price } from "./counts.js";
import { documentsToDo, type RefusedDocument } from "./documents.js";
import { dollars } from "./progress-frame.js";
import type { InputSource } from "./inputs/document.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import type { ExtractPrompt } from "./prompt.js";
import { SeenTable } from "./seen-table.js";
import { printable } from "../terminal/printable.js";

export interface DryRunOptions {
  readonly sources: readonly InputSource[];
  readonly prompt: ExtractPrompt;
  readonly price: Price | undefined;
  readonly io: Io;
}

/**
 * Reads all documents, and reports how many there are, the first prompt, and what is wrong. Writes no file.
 *
 * @returns `badData` if there are documents and none can be used
 */
export async function dryRun({ sources, prompt, price, io }: DryRunOptions): Promise<ExitCode> {
  const refused: RefusedDocument[] = [];
  let refusals = 0;
  let documents = 0;
  let characters = 0;
  let first: { readonly place: string; readonly prompt: string } | undefined;
  const onRefused = (document: RefusedDocument): Promise<void> => {
    if (++refusals <= shown) refused.push(document);
    return Promise.resolve();
  };
  const seen = new SeenTable();
  const toDo = documentsToDo({ sources, prompt, seen, out: "", onRefused });
  for await (const document of pipe(toDo, abortable(io.signal))) {
    documents++;
    characters += document.prompt.length;
    first ??= document;
  }
  const tokens = Math.round(characters / 4);
  const cost = price === undefined ? "" : `, ${dollars((tokens * price.input) / 1e6)} without the output`;
  const lines = [
    `${counted(documents, "document")}, about ${count(tokens)} input tokens${cost}.`,
    ...(refusals === 0 ? [] : [`${counted(refusals, "document")} cannot be used:`]),
    ...refused.map(({ message }) => `  ${message}`),
    ...(refusals > shown ? [`  and ${count(refusals - shown)} more`] : []),
    ...(first === undefined ? [] : ["", `The prompt for ${first.place}:`, "", first.prompt]),
  ];
  io.stdout.write(`${lines.map(printable).join("\n")}\n`);
  return documents === 0 && refusals > 0 ? exitCodes.badData : exitCodes.ok;
}

const shown = 10;
