import { collect, from, pipe } from "millrace";
import { type ClientEvent, fromEventStream } from "millrace/client";
import { decodeSse } from "millrace/models";
import { allPartitions, everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { responseOf } from "./support.js";

/** The events of a stream, which is read until the response ends or fails. */
async function eventsIn(chunks: readonly string[], maxBuffer?: number): Promise<ClientEvent[]> {
  const events: ClientEvent[] = [];
  const response = responseOf(chunks.map((chunk) => new TextEncoder().encode(chunk)));
  const options = {
    onEvent: (event: ClientEvent) => events.push(event),
    ...(maxBuffer !== undefined && { maxBuffer }),
  };
  await collect(fromEventStream(response, options)).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === "protocol") throw error;
  });
  return events.filter(({ type }) => type !== "open");
}

test.each([
  "data: []\n\n",
  "id: 1\nevent: message\ndata: [\ndata: ]\n\ndata:[1]\n\n",
  ":\n\n: comment\ndata:\ndata:[]\n\nid\ndata: []\n\n",
  "event: a\n\ndata: []\r\n\r\nid: 2\rdata: [2]\r\r",
  "event:\ndata:  [3]\nretry: 1\nother: x\nid: 3\n\ndata: cut",
  "data: [{}]\n\n\n\ndata: []\r\n\r\nevent: done\ndata: {}\n\n",
  "event: news\ndata: [\n\nevent: error\ndata: {}\n\n",
])("reads %j like decodeSse(), for every split", async (text) => {
  const whole = await collect(pipe(from([text.replace(/data: cut$/, "")]), decodeSse()));
  const expected = whole
    .filter(({ event = "message" }) => ["message", "done", "error"].includes(event))
    .map(({ event = "message", id = "", data }) => {
      if (event === "done") return { type: event, reason: "complete" };
      if (event === "error") return { type: event, code: "", message: "" };
      return { type: "patch", id, patch: JSON.parse(data) as unknown };
    });
  const short = text.length <= 12 ? [...allPartitions(text)] : [];
  for (const chunks of [[text], ...everyCut(text), ...fixedSizes(text, [1, 2, 3]), ...short])
    expect(await eventsIn([...chunks])).toEqual(expected);
});

test("fails at a line or an event that is longer than allowed, after the events before", async () => {
  await expect(eventsIn(["data: []\n\n", "data: [1234"], 10)).rejects.toThrow("longer than 10 characters");
  await expect(eventsIn(["data: [\n", "data: 123456789\n"], 10)).rejects.toThrow("longer than 10 characters");
  await expect(eventsIn(['"12345', '678901"'], 10)).rejects.toThrow("longer than 10 characters");
  expect(await eventsIn(["data: [\n", "data: 1\n", "data: ]\n\n"], 10)).toHaveLength(1);
});

test("reads lines of the compact wire, for every split", async () => {
  const text =
    ':\n\nid: 3-t\n0,{"op":"replace","path":"","value":{"a":"☕","b":[]}}\r\n{"c":"x"}\nnews: 1\n"y\\n"\n\nid: 9-t\n1,[2,3],-1,{"d":{}}\n{}\nevent: done\ndata: {"reason":"stopped"}\n\n';
  for (const chunks of [[text], ...everyCut(text), ...fixedSizes(text, [1, 2, 3])])
    expect(await eventsIn([...chunks])).toMatchObject([
      { id: "3-t" },
      { id: "4-t", patch: [{ op: "add", path: "/b/c", value: "x" }] },
      { id: "5-t", patch: [{ op: "append", path: "/b/c", value: "y\n" }] },
      { id: "9-t" },
      { id: "10-t", patch: [] },
      { type: "done", reason: "stopped" },
    ]);
});

test("a number that names no path is refused", async () => {
  const first = '0,{"op":"add","path":"/a","value":"x"}';
  for (const number of ["-2", "-1.5", "-4294967297"])
    await expect(eventsIn([`${first}\n${number},"y"\n`])).rejects.toThrow("Expected a patch");
});

// G-wire-12
describe("a long place costs its length once:", () => {
  const long = `/${"a/".repeat(600)}`;
  const first = `0,{"op":"add","path":"${long}","value":1}`;

  test("short forms there are refused, and levels up from there", async () => {
    for (const short of ['"x"', '{"b":1}', "[1]", '1,{"b":1}', '-1,900,{"b":1}'])
      await expect(eventsIn([`${first}\n${short}\n`])).rejects.toThrow("Expected a patch");
  });

  test("a line without an operation, and whole operations, are read", async () => {
    const whole = '0,{"op":"add","path":"/b","value":"x"}';
    expect(await eventsIn([`${first}\n{}\n${whole},-1,-2,"y"\n`])).toMatchObject([
      {},
      { patch: [] },
      { patch: [{ path: "/b" }, { op: "append", path: "/b", value: "y" }] },
    ]);
  });

  test("an id that no header can have is not counted on", async () => {
    const id = `1-${"x".repeat(1_000)}`;
    expect(await eventsIn([`id: ${id}\n{}\n{}\nid: 4-t\n{}\n{}\n`])).toMatchObject([
      { id },
      { id },
      { id: "4-t" },
      { id: "5-t" },
    ]);
  });
});
