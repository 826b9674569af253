import type { Chunking, Format } from "../../protocol.js";
import { stories } from "../stories/stories.js";
import { speeds, usualSpeed } from "../transport/speeds.js";
import {
  firstInput,
  type InputKind,
  type InputState,
  ownFile,
  withAnswer,
  withFormat,
  withSample,
} from "./use-input.js";

/** The views of the stage. */
export type StageView = "run" | "code";

/** The state that the page's address keeps, so a link shows the same. */
export interface PageState {
  readonly input: InputState;
  readonly interval: number;
  readonly view: StageView;
  /** The id of the story that is played. */
  readonly story: string | undefined;
}

/** Reads the part of the address after `#`. It is never sent to a server. Unknown values are ignored. */
export function readAddress(hash: string): PageState {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const story = stories.find(({ id }) => id === params.get("story"));
  const interval = Number(params.get("speed") ?? usualSpeed);
  return {
    input: readInput(params, story?.sample),
    interval: speeds.includes(interval) ? interval : usualSpeed,
    view: params.get("view") === "code" ? "code" : "run",
    story: story?.id,
  };
}

function readInput(params: URLSearchParams, storySample: string | undefined): InputState {
  const name = params.get("kind");
  const kind = name === "recording" || name === "model" ? name : "document";
  const text = params.get("text");
  const format = params.get("format");
  const input = usualInput(
    kind,
    text === null ? (storySample ?? params.get("sample") ?? firstInput().sample) : "",
    format === "json" || format === "spec" ? format : undefined,
  );
  const schema = params.get("schema");
  return {
    ...input,
    recording: params.get("recording") ?? input.recording,
    model: params.get("model") ?? input.model,
    prompt: params.get("prompt") ?? input.prompt,
    strict: params.get("strict") === "yes",
    chunking: readChunking(params.get("chunks")) ?? input.chunking,
    ...(text !== null && { text }),
    ...(schema !== null && { schemas: { ...input.schemas, [kind]: schema } }),
  };
}

/**
 * The form whose values an address leaves out.
 *
 * @param sample empty for a text of one's own
 */
function usualInput(kind: InputKind, sample: string, format?: Format): InputState {
  const state = { ...withSample(firstInput(), sample), kind };
  const input = sample === "" ? withFormat({ ...state, sample }, "json", "", "document") : state;
  if (format === undefined || format === input.formats[kind]) return input;
  return kind === "model" ? withAnswer(input, format) : withFormat(input, format, "");
}

/** The inverse of `readAddress()`. Leaves out defaults, long texts and files. */
export function addressOf({ input, interval, view, story }: PageState): string {
  const params = new URLSearchParams();
  const set = (name: string, value: string, usual: string): void => {
    if (value !== usual && value.length <= maxLength) params.set(name, value);
  };
  const { kind, sample, text, chunking, recording, formats } = input;
  const usual = usualInput(kind, sample, formats[kind]);
  set("kind", kind, "document");
  if (kind === "document") {
    if (story !== undefined) set("story", story, "");
    else if (sample !== "") set("sample", sample, firstInput().sample);
    else set("text", text, "");
    set("chunks", chunksText(chunking), chunksText(usual.chunking));
  }
  if (kind === "recording" && recording !== ownFile) set("recording", recording, "");
  if (kind === "model") {
    set("model", input.model, usual.model);
    set("prompt", input.prompt, usual.prompt);
  }
  set("format", formats[kind], usualInput(kind, sample).formats[kind]);
  set("schema", input.schemas[kind], usual.schemas[kind]);
  set("strict", input.strict ? "yes" : "", "");
  set("speed", String(interval), String(usualSpeed));
  set("view", view, "run");
  const query = params.toString();
  return query === "" ? "" : `#${query}`;
}

/** Longer values are left out, because browsers and chats cut long addresses. */
const maxLength = 4_000;

function chunksText(chunking: Chunking): string {
  if (chunking.by === "tokens") return `tokens-${chunking.seed}`;
  return chunking.by === "characters" ? `characters-${chunking.size}` : chunking.by;
}

function readChunking(text: string | null): Chunking | undefined {
  if (text === "words" || text === "lines") return { by: text };
  const [, by, number] = /^(tokens|characters)-(\d{1,6})$/.exec(text ?? "") ?? [];
  if (by === "tokens") return { by, seed: Number(number) };
  if (by === "characters") return { by, size: Math.min(Math.max(1, Number(number)), 100_000) };
  return undefined;
}
