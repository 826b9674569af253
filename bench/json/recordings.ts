/** What real models have written as JSON: from the recorded streams of providers, where the project has them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MakeInput } from "../inputs.js";

/** Beside the project, and no part of it. */
export const recordingsFolder = "../shared/recordings";

/** The recorded documents as the elements of an array, again and again until it has its size; `undefined` without them. */
export function recordedInput(folder: string = recordingsFolder): MakeInput | undefined {
  if (!existsSync(folder)) return undefined;
  return (size) => {
    const documents = recordedDocuments(folder);
    if (documents.length === 0) throw new Error(`The recordings in ${folder} have no JSON`);
    const elements: string[] = [];
    for (let length = 0; length < size; length += (elements.at(-1) as string).length + 2) {
      elements.push(documents[elements.length % documents.length] as string);
    }
    return `[${elements.join(", ")}]`;
  };
}

/** Each text and each tool call's arguments that are a JSON object or array, in the characters of the model. */
export function recordedDocuments(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((it) =>
    it.endsWith(".jsonl"),
  );
  return files.sort().flatMap((file) => textsOf(readFileSync(join(folder, file), "utf8")).filter(isDocument));
}

/** The parts of one recording, each put together from its deltas. */
function textsOf(recording: string): string[] {
  const texts = new Map<string, string>();
  const add = (part: string, text: unknown): void => {
    if (typeof text === "string") texts.set(part, (texts.get(part) ?? "") + text);
  };
  let blocks = 0; // an index may come again in the next message, and never two blocks at a time
  for (const line of recording.split("\n").filter((it) => it !== "")) {
    const payload = JSON.parse(line) as Payload;
    if (payload.type === "content_block_start") blocks++;
    if (typeof payload.delta === "string") add(`${payload.item_id}`, payload.delta);
    else add(`block ${blocks}`, payload.delta?.partial_json ?? payload.delta?.text);
    for (const { delta } of payload.choices ?? []) {
      add("content", delta?.content);
      for (const call of delta?.tool_calls ?? []) add(`call ${call.index}`, call.function?.arguments);
    }
  }
  return [...texts.values()];
}

function isDocument(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** What is read of the payloads of Anthropic Messages, OpenAI Responses (whose delta is a string) and OpenAI Chat. */
interface Payload {
  readonly type?: string;
  readonly item_id?: string;
  readonly delta?: string | { readonly text?: string; readonly partial_json?: string };
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: unknown;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly function?: { readonly arguments?: string };
      }[];
    };
  }[];
}
