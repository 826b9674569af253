import { collect, from, pipe } from "millrace";
import { decodeSse } from "millrace/models";
import { allPartitions, everyCut, fixedSizes } from "millrace/testing";
import { expect, test } from "vitest";
import { sseReader, type PatchSseEvent } from "#src/client/sse-reader.js";

function read(chunks: readonly string[]): PatchSseEvent[] {
  const feed = sseReader();
  return chunks.flatMap((chunk) => feed(chunk).events);
}

test.each([
  "data: 1\n\n",
  "id: 1\nevent: a\ndata: x\ndata: y\n\ndata:z\n\n",
  ":\n\n: comment\ndata\n\nid\ndata: \n\n",
  "event: a\n\ndata: b\r\n\r\nid: 2\rdata: c\r\r",
  "event:\ndata:  two\nretry: 1\nother: x\nid: 3\n\ndata: cut",
  "data: a:b: c\n\n\n\ndata: d\r\n\r\ndata: e\n\n",
])("reads %j like decodeSse(), for every split", async (text) => {
  const whole = await collect(pipe(from([text.replace(/data: cut$/, "")]), decodeSse()));
  const expected = whole.map(({ event, id, data }) => ({ event, id, data }));
  const short = text.length <= 12 ? [...allPartitions(text)] : [];
  for (const chunks of [[text], ...everyCut(text), ...fixedSizes(text, [1, 2, 3]), ...short])
    expect(read([...chunks])).toEqual(expected);
});

test("held counts the buffered characters of the line and of the event", () => {
  const feed = sseReader();
  expect([feed("data: 1234").held, feed("\ndata: 56").held, feed("\n\n").held]).toEqual([10, 12, 0]);
});
