import { checkArgument } from "../../text/check-options.js";
import type { PatchEntry } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { noop } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import { from } from "../../stream/sources/from.js";
import { isInstance, fieldOf, hasMethod } from "../../text/thrown.js";
import { ServeError } from "../errors.js";
import { headOf, textBody, withRunBehind } from "../http/text-body.js";
import type { OnRunError } from "../shown-error.js";
import { bodyOf, readLoggedBytes, bytesPatch, startOfBytes } from "./logged-bytes.js";
import { produceRun } from "./produce-run.js";
import type { StreamLog } from "./stream-log.js";

/** The options of `keepResponse()`. */
export interface KeepResponseOptions {
  /** The log that keeps the response, so that it survives its readers. */
  readonly log: StreamLog;
  /** The id of the run in the log. Anyone who knows it can read the response, so make it unguessable. */
  readonly id: string;
  /** Receives the error that cut the body. */
  readonly onError?: OnRunError;
  /** Keeps the run alive on platforms that end with the response. Receives a promise of its end. */
  readonly waitUntil?: (run: Promise<void>) => void;
}

/** The options of `resumeResponse()`. */
export interface ResumeResponseOptions {
  /** The log that keeps the response. */
  readonly log: StreamLog;
  /** The id of the run in the log. */
  readonly id: string;
  /**
   * Whether only a run that still continues is resumed, for pages that load finished messages from a database. Default:
   * false, so that a client whose connection was lost shortly before the end gets the rest.
   */
  readonly activeOnly?: boolean;
}

/**
 * Keeps a streaming response in a log, for clients that resume by reading it again from its start, as those of the AI
 * SDK and of assistant-ui do. Returns the response that reads from the log.
 *
 * A refusal or a response without a body is returned as it is. The body is read at the model's pace. A disconnecting
 * client does not stop it, so do not pass the signal of the request to the model; `log.stop(id)` closes it.
 * `resumeResponse()` serves it again, on any server that reaches the log.
 *
 * @throws {ServeError} `id_taken`, `too_many_runs`, `log_unavailable`; the response is cancelled then
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { keepResponse, memoryLog, resumeResponse, toUiMessageStream } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const log = memoryLog();
 * const agent = createAgent({ model: scriptedModel(["Hel", "lo."]) });
 * const response = await keepResponse(toUiMessageStream(agent.stream("Hi")), { log, id: "chat-1" });
 * await response.body?.cancel(); // the connection is lost
 * const again = await resumeResponse({ log, id: "chat-1" });
 * console.log((await again?.text())?.includes('"delta":"lo."')); // true
 * ```
 */
export async function keepResponse(response: Response, options: KeepResponseOptions): Promise<Response> {
  checkArgument("keepResponse()", "a Response", typeof fieldOf(response, "headers") === "object", response);
  checkLog("keepResponse()", options);
  const { log, id, onError, waitUntil } = options;
  const { body } = response;
  if (body === null || !response.ok) return response;
  const { status, headers: sent } = headOf(response);
  const headers = new Headers(sent);
  headers.delete("set-cookie"); // it belongs to one reader
  const head = { status, headers: Object.fromEntries(headers) };
  const patches = withStart(startOfBytes(head), from<Uint8Array>(body));
  const { begun, produced } = produceRun(patches, log, id, onError);
  waitUntil?.(produced);
  let origin: string;
  try {
    origin = await begun;
  } catch (error) {
    await body.cancel(error).catch(noop);
    throw error;
  }
  return withRunBehind(responseOf(head, log.read(id, origin)), produced);
}

/**
 * Serves a response that `keepResponse()` keeps, from its start, with what is still to come. `undefined` if there is
 * nothing to resume: the log does not know the run, or has it no longer.
 *
 * @throws {TypeError} if the run is not one of `keepResponse()`
 * @throws {ServeError} `log_unavailable`
 */
export async function resumeResponse(options: ResumeResponseOptions): Promise<Response | undefined> {
  checkLog("resumeResponse()", options);
  const { log, id, activeOnly = false } = options;
  const status = await log.status(id);
  if (status === "unknown" || (activeOnly && status !== "active")) return undefined;
  try {
    for await (const entry of log.read(id)) {
      if (entry.type !== "patch") break;
      const [first] = entry.patch;
      if (first?.op !== "replace") continue;
      bodyOf(first.value); // checks the value
      return responseOf(first.value as ResponseInit, log.read(id));
    }
  } catch (error) {
    // The run has expired since its status was read.
    if (!isInstance(error, ServeError) || error.code !== "unknown_run") throw error;
  }
  return undefined;
}

function responseOf(head: ResponseInit, entries: AsyncIterable<PatchEntry>): Response {
  return new Response(textBody(readLoggedBytes()(entries)[Symbol.asyncIterator]()), head);
}

function withStart(
  start: readonly AnyPatchOperation[],
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterable<readonly AnyPatchOperation[]> {
  return stage<Uint8Array, readonly AnyPatchOperation[]>((emit) => {
    let begun = false;
    const begin = (): void => {
      if (!begun) emit(start);
      begun = true;
    };
    return {
      next: (bytes) => {
        begin();
        if (bytes.length > 0) emit(bytesPatch(bytes));
      },
      end: begin,
    };
  })(chunks);
}

function checkLog(subject: string, options: { readonly log: StreamLog }): void {
  const hasLog = hasMethod(fieldOf(options, "log"), "read");
  checkArgument(subject, "options with a log, such as memoryLog()", hasLog, options);
}
