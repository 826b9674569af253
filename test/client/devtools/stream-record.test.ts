import { expect, test } from "vitest";
import { StreamRecord } from "#src/client/devtools/stream-record.js";

test("counts the bytes of patches in UTF-8", () => {
  const record = new StreamRecord("a");
  const patch = [{ op: "replace", path: "", value: "日本" }] as const;
  record.add({ type: "patch", id: "1", patch });
  expect(record.bytes).toBe(Buffer.byteLength(JSON.stringify(patch)));
});
