import { type JsonObject, withoutUndefined } from "../../../json/value.js";
import type { Citation } from "../../../messages/blocks/annotations.js";
import type { TextBlock } from "../../../messages/blocks/blocks.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import {
  asList,
  asNumber,
  isRecord,
  type Loose,
  asRecord,
  fieldsOrUndefined,
  nonEmptyText,
} from "../../loose.js";
import { jsonText } from "../../../text/json-text.js";
import { ModelError } from "../../contract/errors.js";
import { checkKeyCount } from "../../wire/errors.js";
import { segmentRanges, type Written } from "./segment-ranges.js";

/**
 * Collects the sources of a text: `groundingMetadata` (searches) and `citationMetadata` (citedSource text), with UTF-8
 * byte offsets. They may arrive before the text is complete, and repeatedly.
 */
export class Sources {
  private readonly waiting: CitedSource[] = [];
  private readonly reported = new Set<string>();
  private readonly numberOf = numbering();
  private fields = 0;

  read(candidate: Loose): void {
    const { groundingMetadata } = candidate;
    if (isRecord(groundingMetadata))
      for (const source of grounding(groundingMetadata)) this.waiting.push(source);
    const { citations, citationSources } = asRecord(candidate["citationMetadata"]);
    for (const citation of listOf(citations ?? citationSources)) this.waiting.push(citedSource(citation));
  }

  /** Returns new sources as annotations of the texts so far, one block for each text. */
  take(texts: readonly Written[]): TextBlock[] {
    const last = texts.at(-1);
    if (last === undefined) return [];
    const findRange = this.waiting.length === 0 ? undefined : segmentRanges(texts);
    const added = new Map<number, Citation[]>();
    for (const { origin, fields, metadata, confidenceScore, segment } of this.waiting.splice(0)) {
      const range = segment === undefined ? undefined : findRange?.(segment);
      const { index, ...span } = range ?? { index: last.index };
      // A range that cannot be found is kept as metadata.
      const unplaced = segment === undefined || range !== undefined ? undefined : { segment };
      const repeated = [origin, unplaced?.segment].map((value) => value && this.numberOf(value));
      const key = jsonText([index, span, confidenceScore, ...repeated]).text;
      if (this.reported.has(key)) continue;
      this.reported.add(key);
      const all = fieldsOrUndefined({ ...metadata, confidenceScore, ...unplaced }) as Metadata | undefined;
      this.count(all);
      const annotation: Citation = {
        type: "citation",
        ...withoutUndefined({ ...fields, ...span, metadata: all }),
      };
      const annotations = added.get(index);
      if (annotations === undefined) added.set(index, [annotation]);
      else annotations.push(annotation);
    }
    return [...added].map(([index, annotations]) => ({ type: "text", index, text: "", annotations }));
  }

  /** Each citation has the fields of its source, which the server repeats by two characters. */
  private count(fields: Metadata = {}): void {
    this.fields += Object.keys(fields).length;
    if (this.fields > mostFields)
      throw new ModelError("protocol", `The sources of the answer have more than ${mostFields} fields.`);
  }
}

const mostFields = 100_000;

/** Gives equal values the same number. So a key does not contain a long source again and again. */
function numbering(): (value: object) => number {
  const known = new WeakMap<object, number>();
  const byText = new Map<string, number>();
  return (value) => {
    let number = known.get(value);
    if (number !== undefined) return number;
    const { text } = jsonText(value);
    number = byText.get(text) ?? byText.size;
    byText.set(text, number);
    known.set(value, number);
    return number;
  };
}

interface CitedSource {
  readonly origin: Loose;
  readonly fields: Readonly<Record<"url" | "title" | "citedText", string | undefined>>;
  readonly metadata: Loose;
  readonly confidenceScore?: unknown;
  readonly segment: JsonObject | undefined;
}

/** One entry per source of each support, and one for each source without a support. */
function grounding(metadata: Loose): CitedSource[] {
  const chunks = listOf(metadata["groundingChunks"]).map((chunk) => sourceIn(chunk));
  const named = new Set<number>();
  const sources = listOf(metadata["groundingSupports"]).flatMap((support) => {
    const scores = asList(support["confidenceScores"]);
    const indices = asList(support["groundingChunkIndices"]);
    const segment = isRecord(support["segment"]) ? (support["segment"] as JsonObject) : undefined;
    return indices.flatMap((index, i): CitedSource[] => {
      const chunk = typeof index === "number" ? chunks[index] : undefined;
      if (chunk === undefined) return [];
      named.add(index as number);
      return [{ ...chunk, confidenceScore: scores[i], segment }];
    });
  });
  return [...sources, ...chunks.filter((_, index) => !named.has(index))];
}

/** Reads `{web: {uri, title, domain}}`, and similarly `retrievedContext`, `maps` and `image`. */
function sourceIn(chunk: Loose): CitedSource {
  const [kind, value] = Object.entries(chunk).find(([, found]) => isRecord(found)) ?? ["", {}];
  const { uri, sourceUri, title, text, ...others } = asRecord(value);
  checkKeyCount(Object.keys(others).length);
  return {
    origin: chunk,
    fields: {
      url: nonEmptyText(uri) ?? nonEmptyText(sourceUri),
      title: nonEmptyText(title),
      citedText: nonEmptyText(text),
    },
    metadata: kind === "web" ? others : { ...others, kind },
    segment: undefined,
  };
}

function citedSource(citation: Loose): CitedSource {
  const { uri, title, startIndex, endIndex, ...others } = citation;
  const end = asNumber(endIndex);
  checkKeyCount(Object.keys(others).length);
  return {
    origin: citation,
    fields: { url: nonEmptyText(uri), title: nonEmptyText(title), citedText: undefined },
    metadata: others,
    segment: end === undefined ? undefined : { startIndex: asNumber(startIndex) ?? 0, endIndex: end },
  };
}

function listOf(value: unknown): Loose[] {
  return asList(value).filter(isRecord);
}
