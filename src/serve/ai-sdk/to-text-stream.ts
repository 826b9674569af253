import type { JsonPatch } from "../../json/patch/patch.js";
import { stage } from "../../stream/core/stage.js";
import { textResponse, type TextResponseOptions } from "../http/text-response.js";
import { JsonText } from "./json-text.js";

/** The options of `toTextStream()`. */
export interface TextStreamOptions extends Omit<TextResponseOptions, "heartbeat" | "clock"> {
  /** Hears of the error that cut the stream. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A structured response as the growing text of its JSON: what `useObject` of the AI SDK reads, and any client that reads JSON
 * as it comes. Text goes as it is.
 *
 * Patches are written as text that only grows, each piece once, so it costs what changed if they were made with `append`. It is
 * always the beginning of a valid document: prose, fences and mistakes that were repaired are not in it.
 *
 * What was sent cannot be taken back. Where a response is given up and asked for again after some of it was sent, the response
 * is cut, and the client's hook has an `error`, never a wrong object. Clients that are to see a second try read
 * `toUiMessageStream()`, or `toEventStream()`.
 *
 * @param source patches, as `agent.patches()` or `.patches` of a parser give them; or the text itself
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
    const json = new JsonText();
    return {
      next: (item) => {
        emit(typeof item === "string" ? item : json.write(item));
      },
      end: () => {
        emit(json.end());
      },
    };
  })(source);
  const { onError } = options;
  return textResponse(texts, { contentType: "text/plain; charset=utf-8", silence: "", onError }, options);
}
