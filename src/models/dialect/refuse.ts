import type { Metadata } from "../../messages/blocks/metadata.js";
import type { ToolDefinition } from "../contract/chat-model.js";
import { invalidRequest, type ModelError } from "../contract/errors.js";

/** Creates the error for a place in a schema (JSON Pointer, RFC 6901). The problem continues the text "at /a/b, ". */
export type Refuse = (pointer: string, problem: string) => ModelError;

export function refuseIn(subject: string, what: string, advice?: string): Refuse {
  return (pointer, problem) => {
    const place = pointer === "" ? "its root" : pointer;
    const message = `The schema of ${subject} cannot be ${what}: at ${place}, ${problem}. ${advice ?? ""}`;
    return invalidRequest(message.trimEnd(), { schemaPointer: pointer, advice });
  };
}

export function toolSubject(name: string): string {
  return `the tool ${JSON.stringify(name)}`;
}

/** The fields of a tool for its provider, which must know each. */
export function extrasOfTool(
  { name, metadata = {} }: ToolDefinition,
  known: readonly string[],
  provider: string,
): Metadata {
  for (const key of Object.keys(metadata)) {
    if (known.includes(key)) continue;
    throw invalidRequest(
      `${provider} has no field ${JSON.stringify(key)} for ${toolSubject(name)}. Remove it from extras.`,
    );
  }
  return metadata;
}

export function formatSubject(name: string): string {
  return `the response format ${JSON.stringify(name)}`;
}
