import { cuts, type CutName } from "../chunks.js";
import { keep } from "../sink.js";
import type { Pass, Result, Results, TimedCase } from "../suite.js";
import { documentOf } from "./documents.js";
import { subjects, type SubjectName } from "./subjects.js";

/** One reader, one document, one way of cutting it. */
export interface JsonCase {
  readonly subject: SubjectName;
  readonly document: string;
  /** In KB of 1,024 characters. */
  readonly size: number;
  readonly cut: CutName;
}

/** The chunks are created before the first pass, so they cost nothing. */
export function timed(it: JsonCase, group?: string): TimedCase {
  return {
    id: idOf(it),
    ...(group !== undefined && { group }),
    load: async (): Promise<Pass> => {
      const text = documentOf(it.document, it.size);
      const chunks = cuts[it.cut](text);
      const read = await subjects[it.subject].load();
      return async () => {
        await read(chunks, keep);
        return text.length;
      };
    },
  };
}

export function idOf({ subject, document, size, cut }: JsonCase): string {
  return `${subject}, ${document}, ${size} KB, ${cut}`;
}

/** Milliseconds for the whole document. */
export function timeOf(it: JsonCase, results: Results): Result | undefined {
  const result = results.get(idOf(it));
  if (result === undefined) return undefined;
  const factor = (it.size * 1024) / 1e6;
  return { median: result.median * factor, min: result.min * factor, max: result.max * factor };
}
