import { excerpt } from "../../text/excerpt.js";
import { MessageError, contentError } from "../errors.js";
import { isRecord, type Loose } from "../loose.js";

type ContentName = "content" | (typeof listNames)[number];

/** LangChain 1 in memory and as JSON; the AI SDK and Gemini. */
const listNames = ["contentBlocks", "content_blocks", "parts"] as const;

export interface GivenContent {
  readonly name: ContentName | undefined;
  readonly value: unknown;
}

/** An empty content counts only if there is no other, and a text gives way to the list that repeats it. */
export function contentIn(input: Loose, place: string): GivenContent {
  const { content } = input;
  let given: GivenContent = { name: content === undefined ? undefined : "content", value: content };
  for (const name of listNames) {
    // LangChain's messages inherit a getter with such a name.
    const value = Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined;
    if (value === undefined) continue;
    if (!Array.isArray(value)) throw contentError(`${place}.${name}`, "an array of blocks", value);
    if (isEmpty(given.value) || given.value === textIn(value)) given = { name, value };
    else if (value.length > 0) throw twoContents(place, given.name, name);
  }
  return given;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function textIn(list: readonly unknown[]): string {
  return list.map((part) => (isRecord(part) && isText(part) ? part["text"] : "")).join("");
}

function isText({ type, text, thought }: Loose): boolean {
  return typeof text === "string" && (type === "text" || (type === undefined && thought !== true));
}

function twoContents(place: string, first: string | undefined, second: string): MessageError {
  return new MessageError(
    "invalid_content",
    `${place} has both ${first} and ${second}, and they are not the same text. Remove one of them.`,
  );
}

export function noContent(input: Loose, place: string): MessageError {
  const names = excerpt(Object.keys(input).join(", "), 200);
  return new MessageError(
    "invalid_content",
    `${place} has no content, only the keys ${names}. Pass its text or blocks as content, contentBlocks or parts. An empty message has the content "".`,
  );
}
