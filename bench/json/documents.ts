/** The documents of the suite, with JSON that real models wrote, from recorded provider streams, if they are available. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inputs, type MakeInput } from "../inputs.js";

/** A folder beside the repository. */
export const recordingsFolder = "../shared/recordings";
export const hasRecordings = existsSync(recordingsFolder);

const documents: Readonly<Record<string, MakeInput>> = hasRecordings ? { ...inputs, recordings } : inputs;

export const documentNames: readonly string[] = Object.keys(documents);

/** A document of about `size` KB (1,024 characters). */
export function documentOf(name: string, size: number, seed?: number): string {
  return (documents[name] as MakeInput)(size * 1024, seed);
}

/** An array that repeats the recorded documents up to the size. */
function recordings(size: number): string {
  const recorded = recordedDocuments();
  if (recorded.length === 0) throw new Error(`The recordings in ${recordingsFolder} have no JSON`);
  const elements: string[] = [];
  for (let length = 0; length < size; length += (elements.at(-1) as string).length + 2) {
    elements.push(recorded[elements.length % recorded.length] as string);
  }
  return `[${elements.join(", ")}]`;
}

/** The texts and tool call arguments that are a JSON object or array, unchanged. */
function recordedDocuments(): string[] {
  const files = readdirSync(recordingsFolder, { recursive: true, encoding: "utf8" }).sort();
  return files
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => textsOf(readFileSync(join(recordingsFolder, file), "utf8")))
    .filter(isDocument);
}

/** The parts of one recording, joined from their deltas. */
function textsOf(recording: string): string[] {
  const texts = new Map<string, string>();
  const add = (part: string, text: unknown): void => {
    if (typeof text === "string") texts.set(part, (texts.get(part) ?? "") + text);
  };
  let blocks = 0; // the next message may use the same index, but blocks never overlap
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

/** Fields of Anthropic Messages, OpenAI Responses (where delta is a string) and OpenAI Chat. */
interface Payload {
  readonly type?: string;
  readonly item_id?: string;
  readonly delta?: string | { readonly text?: string; readonly partial_json?: string };
  readonly choices?: readonly { readonly delta?: ChatDelta }[];
}

interface ChatDelta {
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly function?: { readonly arguments?: string };
  }[];
}
