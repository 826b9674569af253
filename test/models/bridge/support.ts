import { ModelError } from "millrace";

/** A tool as a model sees it. */
export const time = {
  name: "time",
  parameters: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
};

export const events = (...payloads: unknown[]): string =>
  payloads.map((it) => `data: ${typeof it === "string" ? it : JSON.stringify(it)}\n\n`).join("");

const delta = (fields: object, finish_reason: string | null = null, more: object = {}): object => ({
  id: "c1",
  object: "chat.completion.chunk",
  model: "m-1",
  choices: [{ index: 0, delta: fields, finish_reason }],
  ...more,
});

/** An answer of Chat Completions: a text and a call. */
export const answer = events(
  delta({ role: "assistant", content: "It is " }),
  delta({ content: "noon." }),
  delta({
    tool_calls: [
      { index: 0, id: "call_1", type: "function", function: { name: "time", arguments: '{"zone"' } },
    ],
  }),
  delta({ tool_calls: [{ index: 0, function: { arguments: ':"UTC"}' } }] }),
  delta({}, "tool_calls", { usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 } }),
  "[DONE]",
);

/** The same answer, cut in its call. */
export const cutAnswer = answer.slice(0, answer.indexOf("tool_calls") - 60);

/** Takes the place of a server. */
export interface Server {
  /** The requests so far. */
  readonly bodies: Record<string, unknown>[];
  readonly fetch: typeof fetch;
}

/** @param answers the last one is repeated */
export function serverOf(...answers: (() => Response)[]): Server {
  const bodies: Record<string, unknown>[] = [];
  return {
    bodies,
    fetch: async (_, init) => {
      bodies.push(JSON.parse(init?.body as string) as Record<string, unknown>);
      return (answers[Math.min(bodies.length, answers.length) - 1] as () => Response)();
    },
  };
}

export const stream = (text: string) => (): Response =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });

export const fault =
  (status: number, headers: Record<string, string> = {}, code = "busy") =>
  (): Response =>
    new Response(JSON.stringify({ message: "Slow down.", error: { message: "Slow down.", code } }), {
      status,
      headers: { "content-type": "application/json", "x-request-id": "r9", ...headers },
    });

export async function errorOf(work: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await work.catch((error: unknown) => error);
  if (error instanceof ModelError) return error;
  throw new Error("expected a ModelError", { cause: error });
}
