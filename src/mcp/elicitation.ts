import { isRecord } from "../messages/loose.js";
import { onAbort } from "../stream/time/on-abort.js";
import { cut } from "../text/cut.js";
import type { McpClient } from "./client.js";
import { requestSchema } from "./first-schema.js";

/** A question of a server to the user while a call runs. */
export interface McpElicitation {
  /** `form`: the answer is data that satisfy `schema`. `url`: the user opens a page. */
  readonly mode: "form" | "url";
  readonly message: string;
  /** The JSON Schema of the answer: an object with plain values. */
  readonly schema?: unknown;
  readonly url?: string;
}

/** The answer of a user. `content` is only for `accept`. */
export interface McpElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Asks the user. `signal` is aborted when the call is. */
export type OnElicitation = (
  asked: McpElicitation,
  options: { readonly signal: AbortSignal },
) => McpElicitationAnswer | PromiseLike<McpElicitationAnswer>;

/**
 * Answers the questions of a server. A question while no call runs is cancelled.
 *
 * @param calls the signals of the calls that run; each is aborted when its call has ended
 * @throws {TypeError} if the client has not declared that it answers questions
 */
export function answerElicitations(
  client: McpClient,
  ask: OnElicitation,
  calls: ReadonlySet<AbortSignal>,
): void {
  const answer = async (request: { readonly params?: unknown }): Promise<McpElicitationAnswer> => {
    const { mode, message, requestedSchema, url } = isRecord(request.params) ? request.params : {};
    const ended = whenAllAreAborted([...calls]);
    if (ended.aborted) return { action: "cancel" };
    return ask(
      {
        mode: mode === "url" ? "url" : "form",
        message: cut(typeof message === "string" ? message : "", 4_000),
        ...(requestedSchema !== undefined && { schema: requestedSchema }),
        ...(typeof url === "string" && { url: cut(url, 4_000) }),
      },
      { signal: ended },
    );
  };
  const method = "elicitation/create";
  try {
    client.setRequestHandler(
      (client.getProtocolEra === undefined ? requestSchema(method) : method) as never,
      answer as never,
    );
  } catch (cause) {
    const declared = "new Client(info, { capabilities: { elicitation: {} } })";
    throw new TypeError(`onElicitation needs a client that declares it. Write ${declared}.`, { cause });
  }
}

function whenAllAreAborted(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  let left = signals.length;
  if (left === 0) controller.abort();
  for (const signal of signals) {
    onAbort(signal, () => {
      if (--left === 0) controller.abort(signal.reason);
    });
  }
  return controller.signal;
}
