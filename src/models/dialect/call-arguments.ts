import { repair } from "../../lenient/repair.js";
import { isObject, type JsonObject } from "../../json/value.js";
import { DocumentReader } from "../../json/parser.js";
import type { CallBlock } from "../../messages/blocks/read.js";
import { wellFormedJson } from "../../text/json-text.js";
import { argumentText } from "../wire/plain-json.js";

export function argumentsOfCall(block: CallBlock): JsonObject {
  return block.type === "tool_call" ? block.args : knownArguments(block.args);
}

/** The same as JSON text, for providers whose calls have a text. */
export function argumentTextOfCall(block: CallBlock): string {
  const text = block.type === "tool_call" ? argumentText(block.args) : knownArgumentText(block.args);
  return wellFormedJson(text);
}

/**
 * The arguments of a cut or invalid call for a request. A complete object is sent as the model wrote it, otherwise what
 * can be read of it: servers refuse a conversation with arguments that are not the JSON of an object
 * (vllm-project/vllm#43995). The tool message of the call has the error.
 */
function knownArguments(text = ""): JsonObject {
  const document = new DocumentReader({ repair });
  read(document, text);
  const args = document.builder.snapshot();
  return isObject(args) ? args : {};
}

function knownArgumentText(text = ""): string {
  const document = new DocumentReader({});
  const isWhole = read(document, text) && isObject(document.builder.value);
  return isWhole ? text : argumentText(knownArguments(text));
}

/** Returns whether the text is a whole document. Otherwise the part before the error counts. */
function read(document: DocumentReader, text: string): boolean {
  return (document.write(text) ?? document.end(true)) === undefined;
}
