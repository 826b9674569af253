import { ClientError } from "millrace/client";
import { expect, test } from "vitest";
import { StreamRecord } from "#src/client/devtools/stream-record.js";

test("shows that a run was not stopped, until the next begins", () => {
  const record = new StreamRecord("a");
  record.begin();
  record.add({ type: "done", reason: "stopped" });
  record.add({ type: "stop_failed", error: new ClientError("http", "You are not allowed to do this.") });
  expect([record.status, record.error]).toEqual(["stopped", "Not stopped: You are not allowed to do this."]);
  record.begin();
  expect(record.error).toBe("");
});

test("counts the bytes of patches in UTF-8", () => {
  const record = new StreamRecord("a");
  const patch = [{ op: "replace", path: "", value: "日本" }] as const;
  record.add({ type: "patch", id: "1", patch });
  expect(record.bytes).toBe(Buffer.byteLength(JSON.stringify(patch)));
});
