import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Annotation, Citation } from "../../messages/blocks/annotations.js";
import { asNumber, isRecord, withoutUndefined, type Loose, requestFields, nonEmptyText } from "../loose.js";

/**
 * An annotation of a text, as either API writes it: Chat Completions puts the fields of a `url_citation` inside an object
 * of that name, Responses beside the type. Citations of files have what else is said of the file in `metadata`.
 */
export function mapOpenAIAnnotation(value: unknown): Annotation {
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

/** The places are OpenAI's own: how it counts characters outside the BMP is not documented. */
function citation(inner: Loose, fields: Undefined<Omit<Citation, "type">>): Citation {
  const startIndex = asNumber(inner["start_index"]);
  const endIndex = asNumber(inner["end_index"]);
  return { type: "citation", ...withoutUndefined({ ...fields, startIndex, endIndex }) };
}

type Undefined<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** The annotations as Responses takes them back; those of other providers stay behind. */
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
