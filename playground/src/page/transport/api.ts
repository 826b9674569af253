import type { Begun, Control, Refusal, RunRequest, PlaygroundSetup } from "../../protocol.js";

/** An error response of the server. */
class Refused extends Error implements Refusal {
  override readonly name = "Refused";
  readonly code: string;

  constructor({ code, message }: Refusal) {
    super(message);
    this.code = code;
  }
}

export function setup(): Promise<PlaygroundSetup> {
  return ask<PlaygroundSetup>("api/setup");
}

export function begin(request: RunRequest): Promise<Begun> {
  return ask<Begun>("api/runs", request);
}

export async function control(id: string, order: Control): Promise<void> {
  await ask(`api/runs/${id}/control`, order, true);
}

export function streamOf(id: string, part: "document" | "trace"): string {
  return `api/runs/${id}/${part}`;
}

/** @param keepalive lets the request outlive the page */
async function ask<T>(path: string, body?: object, keepalive = false): Promise<T> {
  const response = await fetch(path, {
    ...(body !== undefined && {
      method: "POST",
      keepalive,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Refused({
      code: "offline",
      message: "The server does not answer. Is the playground still running?",
    });
  });
  const answer = (await response.json()) as T | Refusal;
  if (!response.ok) throw new Refused(answer as Refusal);
  return answer as T;
}
