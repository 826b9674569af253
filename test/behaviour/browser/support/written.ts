import type { JsonPatch } from "millrace";

/** Patches that the test writes one at a time. */
export function written(): Written {
  let controller: ReadableStreamDefaultController<JsonPatch>;
  const patches = new ReadableStream<JsonPatch>({
    start: (it) => {
      controller = it;
    },
  });
  return {
    patches,
    write: (patch) => {
      controller.enqueue(patch);
    },
    end: () => {
      controller.close();
    },
  };
}

export interface Written {
  readonly patches: ReadableStream<JsonPatch>;
  readonly write: (patch: JsonPatch) => void;
  readonly end: () => void;
}
