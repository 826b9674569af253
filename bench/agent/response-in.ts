import type { AgentEvent } from "millrace";
import { keep } from "../sink.js";

/** Reads all events of a run and returns its structured response. */
export async function responseIn(events: AsyncIterable<AgentEvent>): Promise<unknown> {
  let response: unknown;
  for await (const event of events) {
    keep(event);
    if (event.type === "structured") response = event.value;
  }
  return response;
}
