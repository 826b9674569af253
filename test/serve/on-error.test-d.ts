import { from, type JsonPatch } from "millrace";
import { toEventStream } from "millrace/serve";
import { test } from "vitest";

test("onError may log, or return what the client sees, but nothing else", () => {
  const patches = from<JsonPatch>([]);
  toEventStream(patches, { onError: (error) => console.error(error) });
  toEventStream(patches, { onError: () => ({ code: "busy", message: "Later." }) });
  // @ts-expect-error: a text is not an error that a client sees
  toEventStream(patches, { onError: () => "Later." });
});
