import { checkChunk } from "../../messages/check-chunk.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { stage } from "../../stream/core/stage.js";
import type { TranscriptInput } from "./read-transcript.js";
import { recordingModel, type ScriptedModel, type ScriptedModelOptions } from "./recording-model.js";
import { replay, type ReplayOptions } from "./replay.js";

/** The options of `replayModel()`. */
export interface ReplayModelOptions extends ReplayOptions, ScriptedModelOptions {}

/**
 * Creates a model that replays a stream recorded by `record()`: the same chunks with the same timing, or faster or
 * slower, and the same error at the end. Each call plays the transcript from its start, regardless of its messages. A
 * signal ends it at once.
 *
 * @param transcript the text, its lines, or a stream of text or UTF-8 bytes, as for `replay()`
 *
 * @throws {RangeError} if `speed` is not greater than 0
 * @throws {TranscriptError} from the stream, if the input is not a transcript or was cut
 * @throws {MessageError} from the stream, if an item of the transcript is not a chunk
 *
 * @example
 * ```ts
 * import { last, mergeChunks, pipe, textOf } from "millrace";
 * import { replayModel } from "millrace/testing";
 *
 * const transcript = `{"millrace":"transcript","version":1}
 * {"t":210,"value":{"content":[{"type":"text","text":"Hel"}]}}
 * {"t":350,"value":{"content":[{"type":"text","text":"lo"}],"finishReason":"stop"}}
 * {"t":351,"end":true}`;
 * const model = replayModel(transcript, { speed: 10 });
 * const message = await last(pipe(model.stream("Greet me."), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello", after 35 ms
 * ```
 */
export function replayModel(
  transcript: TranscriptInput,
  { speed, clock, ...options }: ReplayModelOptions = {},
): ScriptedModel {
  const chunks = checked(replay<MessageChunk>(transcript, { speed, clock }));
  return recordingModel("replay", options, () => chunks);
}

/** A transcript of `record()` can have any items. */
const checked = stage<MessageChunk, MessageChunk>((emit) => ({
  next: (chunk) => {
    checkChunk(chunk);
    emit(chunk);
  },
}));
