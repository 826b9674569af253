import { stringsIn } from "../../messages/loose.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Annotation } from "../../messages/blocks/annotations.js";
import { tableOf } from "../../text/words-in.js";
import { isRecord, nonEmptyText } from "../loose.js";

/** Converts a citation of Anthropic. Fields without a counterpart become metadata. Unknown kinds stay unchanged. */
export function toAnnotation(citation: unknown): Annotation {
  const titleField = isRecord(citation) ? titleFields.get(citation["type"]) : undefined;
  if (!isRecord(citation) || titleField === undefined) {
    return { type: "non_standard_annotation", value: citation as JsonValue };
  }
  const { cited_text, url, [titleField]: title, ...others } = citation;
  const address = nonEmptyText(url) ?? /^https?:.*/i.exec(nonEmptyText(others["source"]) ?? "")?.[0];
  return {
    type: "citation",
    ...stringsIn({ url: address, title, citedText: cited_text }),
    metadata: others as JsonObject,
  };
}

/** Converts citations back. Anthropic accepts only its own, whose types end in `_location`. */
export function toCitations(annotations: readonly Annotation[]): JsonValue[] {
  return annotations.flatMap((annotation): JsonValue[] => {
    if (annotation.type === "non_standard_annotation") {
      const { value } = annotation;
      return isRecord(value) && nonEmptyText(value["type"])?.endsWith("_location") === true ? [value] : [];
    }
    const { metadata, citedText = "", title = null, url } = annotation;
    const titleField = titleFields.get(metadata?.["type"]);
    if (titleField === undefined) return [];
    const address = metadata?.["type"] === webSearch && url !== undefined ? { url } : undefined;
    return [{ ...metadata, cited_text: citedText, [titleField]: title, ...address }];
  });
}

const webSearch = "web_search_result_location";

const titleFields = tableOf<"title" | "document_title">({
  [`${webSearch} search_result_location`]: "title",
  "char_location page_location content_block_location": "document_title",
});
