import { type JsonObject, type JsonValue, withoutUndefined } from "../../json/value.js";
import type { Annotation, Citation } from "../../messages/blocks/annotations.js";
import { asList, asNumber, isRecord, type Loose, requestFields, nonEmptyText } from "../loose.js";

export function mapOpenAIAnnotations(list: unknown): readonly Annotation[] | undefined {
  const annotations = asList(list).map(mapOpenAIAnnotation);
  return annotations.length === 0 ? undefined : annotations;
}

/** Chat Completions nests the fields in an object of the name of the type; Responses puts them beside the type. */
function mapOpenAIAnnotation(value: unknown): Annotation {
  if (!isRecord(value)) return { type: "non_standard_annotation", value: value as JsonValue };
  const { type } = value;
  const inner = typeof type === "string" && isRecord(value[type]) ? value[type] : value;
  switch (type) {
    case "url_citation":
      return citation(inner, { url: nonEmptyText(inner["url"]), title: nonEmptyText(inner["title"]) });
    case "file_citation":
    case "container_file_citation":
      return citation(inner, {
        title: nonEmptyText(inner["filename"]),
        metadata: { ...(inner as JsonObject), type },
      });
    default:
      return { type: "non_standard_annotation", value: value as JsonValue };
  }
}

/** The indexes are OpenAI's own. How it counts characters outside the BMP is not documented. */
function citation(inner: Loose, fields: Undefined<Omit<Citation, "type">>): Citation {
  const startIndex = asNumber(inner["start_index"]);
  const endIndex = asNumber(inner["end_index"]);
  return { type: "citation", ...withoutUndefined({ ...fields, startIndex, endIndex }) };
}

type Undefined<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** Converts annotations for a request to the Responses API. Omits those of other providers. */
export function toOpenAIAnnotations(annotations: readonly Annotation[]): JsonValue[] {
  return annotations.flatMap((annotation): JsonValue[] => {
    if (annotation.type === "non_standard_annotation") return [annotation.value];
    const { url, title, startIndex, endIndex, metadata } = annotation;
    if (metadata?.["type"] !== undefined) return [{ ...metadata }];
    if (url === undefined || startIndex === undefined || endIndex === undefined) return [];
    const fields = { title: title ?? "", start_index: startIndex, end_index: endIndex };
    return [requestFields({ type: "url_citation", url, ...fields })];
  });
}
