import { ClientError } from "millrace/client";
import { expect, test } from "vitest";
import type { JsonValue } from "millrace";
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

test("reads values of any depth", () => {
  const record = new StreamRecord("a");
  const value = JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as JsonValue;
  record.add({ type: "patch", id: "1", patch: [{ op: "replace", path: "", value }] });
  expect(record.patches).toBe(1);
  expect(record.operations).toEqual([`replace (root) ${"[".repeat(120)}…`]);
  expect(record.bytes).toBe('[{"op":"replace","path":"","value":}]'.length + 200_000);
});

test("shows the failure in the value of a conversation, until a turn has none", () => {
  const record = new StreamRecord("chat");
  const answer = (error: object | null): void => {
    record.add({ type: "open" } as never);
    record.add({ type: "patch", id: "1", patch: [{ op: "replace", path: "", value: { error: null } }] });
    record.add({ type: "patch", id: "2", patch: [{ op: "replace", path: "/error", value: error as never }] });
    record.add({ type: "done", reason: "complete" });
  };
  answer({ code: "unreachable", message: "The model cannot be reached." });
  expect([record.status, record.error]).toEqual(["done", "unreachable: The model cannot be reached."]);
  answer(null);
  expect(record.error).toBe("");
});
