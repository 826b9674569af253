import type { AgentEvent, FinishEvent } from "../../agent/events.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import { GrowingValue } from "../../json/patch/growing-value.js";
import { resetPatch } from "../../json/patch/reset-patch.js";
import { addUsage } from "../../text/add-usage.js";
import { stage } from "../../stream/core/stage.js";
import { textOf } from "../../messages/blocks/read.js";
import { toRunParts } from "../run/to-run-parts.js";
import type { RunPart } from "../run/run-parts.js";
import { isStop, type OnRunError, toShownError } from "../shown-error.js";
import { contentPart } from "./to-ui-messages.js";
import { metadataField, type UiMessageMetadata, type UiMetadataOf, type UiPart } from "./ui-messages.js";
import { eventResponse, type TextResponseOptions } from "../http/text-response.js";

/** The options of `toUiMessageStream()`. */
export interface UiMessageStreamOptions extends TextResponseOptions {
  /** The id of the message. Default: the client creates one or continues its last message. */
  readonly messageId?: string;
  /**
   * Whether to also send the growing structured response as a part. Each change then sends the whole value, so use it
   * for small values. Default: false.
   */
  readonly partials?: boolean;
  /**
   * Whether a discarded response takes back its whole step, text included, with the part `reset-step`. A client
   * before version 7 of the AI SDK refuses that part. A step with a tool call is kept. Default: false.
   */
  readonly resetStep?: boolean;
  /**
   * Receives the error that ended the run and may return what the client sees; only the message is sent. Default:
   * words for users by the kind of the error, otherwise `The run failed.`
   */
  readonly onError?: OnRunError;
  /** Creates the ids of texts. Default: random. */
  readonly createId?: () => string;
  /**
   * Returns the `metadata` of the message, which is sent at its end. Pass the function to `toUiMessages()`, too. Default:
   * `{ usage }`, if known.
   */
  readonly messageMetadata?: UiMetadataOf;
  /**
   * Whether the page does not show the calls that a resumed run begins with, so that they are sent again. Default: false.
   */
  readonly sendOpenCalls?: boolean;
  /** The tokens that a message has used before, of which this is the continuation. */
  readonly usageBefore?: UiMessageMetadata["usage"];
}

/**
 * Streams the events of a run as a UI message stream of the AI SDK (protocol version 1), for `useChat`.
 *
 * - Text, reasoning, tools, and files of the model become the parts of the same names. A tool's progress is output marked `preliminary`.
 * - The complete structured response is a part `data-structured` with the output of its schema. While it grows, each
 *   patch is a transient part `data-structured-patch`, which `onData` of `useChat` receives: apply it to a
 *   `createPatchStore()`. With `partials`, the part `data-structured` exists from the start and grows.
 * - A response that is requested again is retracted by its patches, and by `null` in the part; with `resetStep`, its
 *   step is taken back.
 * - The metadata of the message has the tokens of the run, with their cost if the agent has `prices`.
 * - An error is a part `error`. A stopped run ends with `abort`.
 *
 * @param events the events of `agent.stream()`
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { toUiMessageStream } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hel", "lo."]) });
 * const response = toUiMessageStream(agent.stream("Hi"), { createId: () => "1" });
 * console.log((await response.text()).split("\n\n").slice(3, 6).join("\n"));
 * ```
 *
 * ```text prints
 * data: {"type":"text-start","id":"1"}
 * data: {"type":"text-delta","id":"1","delta":"Hel"}
 * data: {"type":"text-delta","id":"1","delta":"lo."}
 * ```
 */
export function toUiMessageStream(
  events: AsyncIterable<AgentEvent>,
  options: UiMessageStreamOptions = {},
): Response {
  return continuedUiMessage(events, options, []);
}

/** The same, after parts of the message that the page does not show. */
export function continuedUiMessage(
  events: AsyncIterable<AgentEvent>,
  options: UiMessageStreamOptions,
  before: readonly UiPart[],
): Response {
  const { createId = () => crypto.randomUUID(), onError } = options;
  const chunks = stage<RunPart, UiMessageChunk>((emit) => {
    const resets = options.resetStep === true ? stepResets() : undefined;
    const partials = options.partials === true ? new GrowingValue() : undefined;
    const run = { ...options, usage: options.usageBefore, sent: new Set<string>() };
    return {
      next: (part) => {
        if (part.type === "call_start") run.sent.add(part.id);
        if (part.type === "model_usage") run.usage = addUsage(run.usage, part.usage);
        const chunksOf = chunksOfParts[part.type] as ChunksOf<RunPart>;
        const chunks = [...chunksOf(part, run), ...partialIn(part, partials)];
        if (part.type === "run_start")
          chunks.push(...before.flatMap((it) => chunksBefore(it, createId, run)));
        for (const chunk of resets?.(part, chunks) ?? chunks) emit(chunk);
      },
    };
  })(toRunParts(events, createId));
  const end = { failed: (error: unknown) => failed(error, onError), last: () => "data: [DONE]\n\n" };
  const response = eventResponse(chunks, end, options);
  response.headers.set("x-vercel-ai-ui-message-stream", "v1");
  return response;
}

/**
 * Takes back the step of a response that the agent discards. The returned function gets a part, and its chunks if nothing
 * is taken back.
 */
function stepResets(): (part: RunPart, chunks: readonly UiMessageChunk[]) => readonly UiMessageChunk[] {
  let hasCalls = false;
  /** Whether the rest of the step's text is left out, as its beginning was taken back. */
  let isReset = false;
  return ({ type }, chunks) => {
    if (type === "step_start" || type === "answer_reset") hasCalls = isReset = false;
    else if (type === "call_start") hasCalls = true;
    if (isReset && /^(?:text|reasoning)_/.test(type)) return [];
    if (type !== "structured_reset" || hasCalls) return chunks;
    isReset = true;
    return [patchChunk(resetPatch), { type: "reset-step" }];
  };
}

function patchChunk(patch: JsonPatch): UiMessageChunk {
  return { type: "data-structured-patch", transient: true, data: patch };
}

function dataChunk(data: unknown): UiMessageChunk {
  return { type: "data-structured", id: "structured", data };
}

/** The growing response as a whole, after a change. */
function partialIn(part: RunPart, value: GrowingValue | undefined): readonly UiMessageChunk[] {
  if (value === undefined) return [];
  if (part.type === "structured_reset") value.reset();
  else if (part.type === "structured_patch") value.apply(part.patch);
  else return [];
  return [dataChunk(value.snapshot() ?? null)];
}

/** The options, and the tokens and calls so far. */
interface UiRun extends UiMessageStreamOptions {
  readonly usage: UiMessageMetadata["usage"];
  readonly sent: Set<string>;
}

/** Sends a part as a whole. */
function chunksBefore(part: UiPart, createId: () => string, { sent }: UiRun): readonly UiMessageChunk[] {
  if (part.type === "step-start") return [{ type: "start-step" }];
  if (part.type === "text" || part.type === "reasoning") {
    const { type, text } = part;
    const id = createId();
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta: text },
      { type: `${type}-end`, id },
    ];
  }
  if (part.type === "file") return [fileChunk(part)];
  if (!("toolCallId" in part)) return [];
  const { toolCallId, type, input } = part;
  sent.add(toolCallId);
  const call = { type: "tool-input-available", toolCallId, toolName: type.slice(5), input } as const;
  if (part.state === "output-available")
    return [call, { type: "tool-output-available", toolCallId, output: part.output }];
  if (part.state === "output-error")
    return [call, { type: "tool-output-error", toolCallId, errorText: part.errorText }];
  return [call];
}

/** Version 1 of the protocol has no name of a file. */
function fileChunk({ mediaType, url }: Extract<UiPart, { type: "file" }>): UiMessageChunk {
  return { type: "file", mediaType, url };
}

type ChunksOf<Part> = (part: Part, run: UiRun) => readonly UiMessageChunk[];

const bound: ChunksOf<
  Extract<RunPart, { type: "text_start" | "text_end" | "reasoning_start" | "reasoning_end" }>
> = (part) => [{ type: toKebabCase(part.type), id: part.id }];
const delta: ChunksOf<Extract<RunPart, { type: "text_delta" | "reasoning_delta" }>> = (part) => [
  { type: toKebabCase(part.type), id: part.id, delta: part.delta },
];
const nothing = (): readonly UiMessageChunk[] => [];

/** The chunks of each part of a run. */
const chunksOfParts: { readonly [Type in RunPart["type"]]: ChunksOf<RunPart & { type: Type }> } = {
  run_start: (_, { messageId }) => [
    { type: "start", ...(messageId === undefined ? undefined : { messageId }) },
  ],
  step_start: () => [{ type: "start-step" }],
  step_end: () => [{ type: "finish-step" }],
  text_start: bound,
  text_delta: delta,
  text_end: bound,
  reasoning_start: bound,
  reasoning_delta: delta,
  reasoning_end: bound,
  call_start: ({ id, name }) => [{ type: "tool-input-start", toolCallId: id, toolName: name }],
  call_delta: (part) => [{ type: "tool-input-delta", toolCallId: part.id, inputTextDelta: part.delta }],
  call_end: (part) => [inputOf(part)],
  call_invalid: ({ id, name, text }) => {
    const errorText = "The call cannot be run."; // the result has the reason
    return [{ type: "tool-input-error", toolCallId: id, toolName: name, input: text, errorText }];
  },
  // Without approvals, the page answers the call. A part has room for one: the run asks for the others after it.
  call_paused: ({ id, approvals: [approvalId] }) =>
    approvalId === undefined ? [] : [{ type: "tool-approval-request", approvalId, toolCallId: id }],
  tool_progress: ({ id, value }) => [
    { type: "tool-output-available", toolCallId: id, output: value, preliminary: true },
  ],
  call_result: (part) => [resultOf(part)],
  media: ({ content }) =>
    content.flatMap(contentPart).flatMap((part) => (part.type === "file" ? fileChunk(part) : [])),
  structured_patch: ({ patch }) => [patchChunk(patch)],
  structured_reset: () => [patchChunk(resetPatch)],
  structured: ({ value }) => [dataChunk(value)],
  finish: (part, { usage, messageMetadata }) => {
    const metadata = usage === undefined ? {} : { usage };
    return [
      { type: "finish", ...reasonOf(part), ...metadataField("messageMetadata", metadata, messageMetadata) },
    ];
  },
  failure: ({ error }, { onError }) => [failed(error, onError)],
  tool_start: (part, { sendOpenCalls, sent }) =>
    sendOpenCalls !== true || sent.has(part.id) ? [] : [inputOf(part)],
  // A response that arrived as a call is sent as data.
  response_call: nothing,
  response_result: nothing,
  // Feedback to the model and usage are not part of a message for people.
  feedback: nothing,
  structured_error: nothing,
  answer_reset: (_, { resetStep }) => (resetStep === true ? [{ type: "reset-step" }] : []),
  model_usage: nothing,
};

function failed(error: unknown, onError: OnRunError | undefined): UiMessageChunk {
  if (isStop(error)) return { type: "abort" };
  return { type: "error", errorText: toShownError(error, onError).message };
}

type Hyphenated<Name extends string> = Name extends `${infer A}_${infer B}` ? `${A}-${B}` : Name;

function toKebabCase<Name extends string>(name: Name): Hyphenated<Name> {
  return name.replace("_", "-") as Hyphenated<Name>;
}

function inputOf({ id, name, args }: Extract<RunPart, { type: "call_end" | "tool_start" }>): UiMessageChunk {
  return { type: "tool-input-available", toolCallId: id, toolName: name, input: args };
}

function resultOf(part: Extract<RunPart, { type: "call_result" }>): UiMessageChunk {
  const { id, message, value, rejected } = part;
  if (rejected === true) return { type: "tool-output-denied", toolCallId: id };
  const text = textOf(message);
  if (message.status === "error") return { type: "tool-output-error", toolCallId: id, errorText: text };
  // An artifact is for the program, so only the content for the model is sent.
  const output = value === undefined || message.artifact !== undefined ? text : value;
  return { type: "tool-output-available", toolCallId: id, output };
}

function reasonOf({ reason, finishReason }: FinishEvent): { readonly finishReason?: UiFinishReason } {
  if (reason === "paused") return { finishReason: "tool-calls" };
  // A structured response that arrived as a tool call ends the run.
  if (reason === "structured" && finishReason === "tool_calls") return { finishReason: "stop" };
  if (finishReason === undefined) return {};
  return { finishReason: finishReason === "pause" ? "other" : toKebabCase(finishReason) };
}

type UiFinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "error" | "other";

/** The parts of a UI message stream (version 1 of the AI SDK's protocol) that `toUiMessageStream()` sends. */
type UiMessageChunk = Readonly<
  | { type: "start"; messageId?: string }
  | { type: "start-step" | "finish-step" }
  /** Since version 7: drops what the step has shown. */
  | { type: "reset-step" }
  | { type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "tool-input-start"; toolCallId: string; toolName: string }
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | { type: "tool-input-available"; toolCallId: string; toolName: string; input: unknown }
  | { type: "tool-input-error"; toolCallId: string; toolName: string; input: string; errorText: string }
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | { type: "tool-output-available"; toolCallId: string; output: unknown; preliminary?: true }
  | { type: "tool-output-error"; toolCallId: string; errorText: string }
  | { type: "tool-output-denied"; toolCallId: string }
  | { type: "file"; mediaType: string; url: string }
  | { type: "data-structured"; id: "structured"; data: unknown }
  | { type: "data-structured-patch"; transient: true; data: JsonPatch }
  | { type: "finish"; finishReason?: UiFinishReason; messageMetadata?: unknown }
  | { type: "error"; errorText: string }
  | { type: "abort" }
>;
