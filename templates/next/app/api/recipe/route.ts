import { streamObject } from "millrace";
import { memoryLog, type StreamLog, toEventStream } from "millrace/serve";
import { model } from "../../../lib/model";
import { recipe } from "../../../lib/recipe";

const log = ((globalThis as { runs?: StreamLog }).runs ??= memoryLog()); // survives a hot reload
const idOf = (url: string) => new URL(url).searchParams.get("run") ?? "";

export async function POST(request: Request) {
  const call = streamObject({ model, schema: recipe, prompt: await request.json() });
  return call.toResponse({ log, id: idOf(request.url) });
}

export function GET({ url, headers }: Request) {
  return toEventStream(undefined, { log, id: idOf(url), lastEventId: headers.get("last-event-id") });
}

export async function DELETE({ url }: Request) {
  return Response.json({ stopped: await log.stop(idOf(url)) });
}
