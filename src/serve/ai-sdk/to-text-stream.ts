import type { JsonPatch } from "../../json/patch/patch.js";
import { highSurrogateAtEnd } from "../../json/scan/characters.js";
import { stage } from "../../stream/core/stage.js";
import { report } from "../report.js";
import { textResponse, type TextResponseOptions } from "../http/text-response.js";
import { GrowingJsonText } from "../../json/patch/growing-json-text.js";

/** The options of `toTextStream()`. */
export interface TextStreamOptions extends Omit<TextResponseOptions, "heartbeat" | "clock"> {
  /** Receives the error that cut the stream. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Streams a structured response as growing JSON text, for `useObject` of the AI SDK and other clients that read partial
 * JSON. Text input is sent unchanged.
 *
 * Patches become text that only grows. With `append` patches each piece is sent once. The text is always the start of a
 * valid document, without prose, fences and repaired mistakes.
 *
 * Sent text cannot be retracted. If a response is abandoned and requested again after some of it was sent, the stream
 * is cut, and the client's hook has an `error`, never a wrong object. To show a second attempt, use
 * `toUiMessageStream()` or `toEventStream()`.
 *
 * @param source patches of `agent.patches()` or of a parser, or the text itself
 *
 * @example
 * ```ts
 * import { from, jsonParser, pipe } from "millrace";
 * import { toTextStream } from "millrace/serve";
 *
 * const model = from(["Here you are: {name: 'A", "da', tags: ['x", "'],}"]);
 * const patches = pipe(model, jsonParser(undefined, { append: true }).patches);
 * console.log(await toTextStream(patches).text()); // {"name":"Ada","tags":["x"]}
 * ```
 */
export function toTextStream(
  source: AsyncIterable<string> | AsyncIterable<JsonPatch>,
  options: TextStreamOptions = {},
): Response {
  const texts = stage<string | JsonPatch, string>((emit) => {
    const json = new GrowingJsonText();
    /** Half a surrogate pair. Each text is encoded alone, so it waits for the other half. */
    let half = "";
    return {
      next: (item) => {
        const text = half + (typeof item === "string" ? item : json.write(item));
        half = highSurrogateAtEnd(text);
        emit(half === "" ? text : text.slice(0, -1));
      },
      end: () => {
        emit(half + json.end());
      },
    };
  })(source);
  const failed = (error: unknown): never => {
    report(options.onError, error);
    throw error;
  };
  const format = { contentType: "text/plain; charset=utf-8", heartbeatText: "", failed };
  return textResponse(format, options)(texts);
}
