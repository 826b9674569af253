import type { Extraction, ExtractionRetry } from "../../object/extract/extraction.js";
import type { ExtractionFailure } from "../../object/extract/failure.js";
import { changesOf } from "../../object/extract/extract-one.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { isLoading } from "../../models/http/provider-error.js";
import { messageOf } from "../../text/excerpt.js";
import { cut } from "../../text/cut.js";
import type { ExtractCounts } from "./counts.js";
import { type AskedDocument, documentsToDo, inputKinds, type RefusedDocument } from "./documents.js";
import type { InputSource } from "./inputs/document.js";
import { infiniteIn, tooLarge } from "../output/output-line.js";
import { keepLines, openOutput, type OutputFile, type OutputLine } from "./output-files.js";
import type { ExtractPrompt } from "./prompt.js";
import { SeenTable } from "./seen-table.js";

export interface ExtractRunOptions {
  readonly sources: readonly InputSource[];
  readonly prompt: ExtractPrompt;
  readonly out: string;
  readonly errors: string;
  /** Whether to ask again about documents that failed before. */
  readonly retryErrors: boolean;
  readonly counts: ExtractCounts;
  /** How many requests may fail before any is answered. */
  readonly maxUnanswered: number;
  /** Called with the reason when so many have failed. It ends the run. */
  readonly onUnanswered: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Asks about documents: in this process, through workers, or in batches of the provider. */
export type AskAll = (
  documents: AsyncIterable<AskedDocument>,
  onRetry: (retry: Pick<ExtractionRetry, "failure" | "error">) => void,
) => AsyncIterable<Extraction<JsonValue, AskedDocument>>;

/** A run that continues where the output files end. */
export interface ExtractRun {
  /** Asks about all documents that are not done, and writes each result. Wrong inputs are written to the errors. */
  extract(askAll: AskAll): Promise<void>;
  close(): Promise<void>;
}

/** Reads the output files, and cuts off what a crash has left of a line. */
export async function openExtractRun(options: ExtractRunOptions): Promise<ExtractRun> {
  const { sources, prompt, out, errors, counts, retryErrors, signal } = options;
  const seen = new SeenTable();
  const add = (failed: boolean) => (line: OutputLine) => {
    seen.addDone(line.id, line.content);
    counts.addEarlier(failed);
    counts.addChanges(line);
  };
  const objects = await openOutput(out, add(false), signal);
  let failures: OutputFile;
  try {
    // Each run finds wrong inputs again, as they may have been corrected.
    await keepLines(errors, ({ kind }) => !retryErrors && !inputKinds.has(kind), signal);
    failures = await openOutput(errors, add(true), signal);
  } catch (error) {
    await objects.close();
    throw error;
  }
  /** Requests that failed before any was answered; `undefined` after the first answer. */
  let unanswered: number | undefined = 0;

  const note = (failure: ExtractionFailure, error: unknown): void => {
    if (!withoutAnswer.has(failure)) unanswered = undefined;
    if (unanswered === undefined || ++unanswered < options.maxUnanswered) return;
    options.onUnanswered(error);
  };
  const write = async (result: Extraction<JsonValue, AskedDocument>): Promise<void> => {
    const { input, attempts, usage } = result;
    const facts = {
      ...factsOf(input),
      attempts,
      ...(usage !== undefined && { usage: usage as unknown as JsonValue }),
    };
    const failed = failureIn(result);
    if (failed !== undefined) await failures.append({ ...facts, ...failed });
    else if (result.ok) {
      const changes = changesOf(result);
      await objects.append({ ...facts, object: result.object, ...(changes as JsonObject) });
      counts.addChanges(changes);
    }
    counts.add(failed?.kind, usage);
  };
  const onRefused = async ({ kind, message, ...document }: RefusedDocument): Promise<void> => {
    await failures.append({ ...factsOf(document), kind, message: cut(message, maxMessage) });
    counts.add(kind, undefined);
  };

  return {
    async extract(askAll) {
      const documents = documentsToDo({ sources, prompt, out, seen, onRefused });
      const results = askAll(documents, ({ failure, error }) => {
        counts.addRetry(failure);
        // Workers report retries later, without an error if an answer followed. A server that loads its model is not dead.
        if (error !== undefined && !isLoading(error)) note(failure, error);
      });
      for await (const result of results) {
        if (result.ok) unanswered = undefined;
        else note(result.failure, result.error);
        await write(result);
      }
    },
    async close() {
      await objects.close();
      await failures.close();
    },
  };
}

/** The failures of a server that is not there, or does not work at all. */
const withoutAnswer: ReadonlySet<ExtractionFailure> = new Set(["network", "timeout", "server"] as const);
const maxMessage = 1_000;

/** Why the result has no line among the objects. */
function failureIn(
  result: Extraction<JsonValue, AskedDocument>,
): { readonly kind: ExtractionFailure; readonly message: string } | undefined {
  if (!result.ok) return { kind: result.failure, message: cut(messageOf(result.error), maxMessage) };
  const place = infiniteIn(result.object);
  return place === undefined ? undefined : { kind: "invalid", message: tooLarge(place) };
}

function factsOf({ id, content, place }: Omit<AskedDocument, "prompt">): OutputLine {
  return { id, content, ...(place !== id && { place }) };
}
