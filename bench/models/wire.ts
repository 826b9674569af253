import { int, list, pick, randomOf } from "../random.js";

/** The number of events, without the end marker. */
export const eventCount = 20_000;

/** The size of the reads: one event or a number of bytes. */
export const reads = ["one event", "64 B", "1 KB", "16 KB"] as const;
export type ReadName = (typeof reads)[number];

const bytesOfRead = { "64 B": 64, "1 KB": 1024, "16 KB": 16 * 1024 } as const;

/** The bytes of a Chat Completions stream: a text in tokens of 1 to 8 characters. */
export function wire(read: ReadName): readonly Uint8Array<ArrayBuffer>[] {
  const events = [...payloads().map((payload) => JSON.stringify(payload)), "[DONE]"];
  const encoder = new TextEncoder();
  if (read === "one event") return events.map((data) => encoder.encode(`data: ${data}\n\n`));
  const bytes = encoder.encode(events.map((data) => `data: ${data}\n\n`).join(""));
  const size = bytesOfRead[read];
  return list(Math.ceil(bytes.length / size), (i) => bytes.slice(i * size, (i + 1) * size));
}

/** The text that a consumer must have read at the end. */
export function expectedText(): string {
  return tokens().join("");
}

function payloads(): object[] {
  const head = {
    id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
    object: "chat.completion.chunk",
    created: 1_741_569_952,
    model: "gpt-5-mini-2025-08-07",
    service_tier: "default",
    system_fingerprint: "fp_44709d6fcb",
  };
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  return [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...tokens().map((content) => chunk({ content })),
    chunk({}, "stop"),
  ];
}

function tokens(): string[] {
  const random = randomOf(11);
  const letters = "abcdefghijklmnopqrstuvwxyz     \n";
  return list(eventCount - 2, () => list(int(random, 1, 8), () => pick(random, letters)).join(""));
}

/** A response whose bytes are already there, one piece per read. */
export function answerOf(pieces: readonly Uint8Array<ArrayBuffer>[]): Response {
  let at = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
    const piece = pieces[at++];
    if (piece === undefined) controller.close();
    else controller.enqueue(piece);
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
