import fc from "fast-check";
import { decodeNdjson, decodeSse } from "millrace/models";
import { collect, from, type Operator, pipe } from "millrace";
import { expect, test } from "vitest";
import { TextReader } from "#src/models/wire/text-reader.js";

/** Valid and invalid UTF-8: complete characters, parts of characters, stray bytes. */
const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => [...new TextEncoder().encode(text)]),
    fc.array(
      fc.constantFrom(
        0x00,
        0x41,
        0x80,
        0xbf,
        0xc0,
        0xc3,
        0xe0,
        0xe2,
        0xed,
        0xef,
        0xbb,
        0xf0,
        0xf4,
        0xf8,
        0xff,
      ),
      {
        maxLength: 5,
      },
    ),
  ),
  { maxLength: 12 },
);

test("bytes are decoded like TextDecoder, malformed ones too, at any split", () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(40)), (parts, cuts) => {
      const bytes = Uint8Array.from(parts.flat());
      const reader = new TextReader();
      let text = "";
      let from = 0;
      for (const to of [...cuts.sort((a, b) => a - b), bytes.length]) {
        if (to < from) continue;
        text += reader.read(bytes.subarray(from, to));
        from = to;
      }
      expect(text + reader.end()).toBe(new TextDecoder().decode(bytes));
    }),
  );
});

test("only an incomplete character is held back", () => {
  const reader = new TextReader();
  const texts = [...new TextEncoder().encode("a€😀b")].map((byte) => reader.read(Uint8Array.of(byte)));
  expect(texts).toEqual(["a", "", "", "€", "", "", "", "😀", "b"]);
});

test.each([
  ["bytes", new TextEncoder().encode("€")],
  ["a Buffer", Buffer.from("€")],
])("held text is a copy: %s can be reused", (_, buffer) => {
  const reader = new TextReader();
  expect(reader.read(buffer.subarray(0, 2))).toBe("");
  const last = Uint8Array.from(buffer.subarray(2));
  buffer.fill(0x41);
  expect(reader.read(last)).toBe("€");
});

test("the byte order mark is removed only at the start, even if it is split", () => {
  const reader = new TextReader();
  const mark = [0xef, 0xbb, 0xbf];
  const texts = [...mark, ...mark].map((byte) => reader.read(Uint8Array.of(byte)));
  expect(texts.join("") + reader.end()).toBe("\ufeff");
});

test.each([
  ["decodeSse()", decodeSse],
  ["decodeNdjson()", decodeNdjson],
] as const)(
  "%s refuses an option that it does not know, and a maxBuffer that is no bound",
  (name, decode) => {
    expect(() => decode({ maxBufer: 9 } as never)).toThrow(`${name} has no option "maxBufer"`);
    for (const maxBuffer of [Number.NaN, -1, "9" as never])
      expect(() => decode({ maxBuffer })).toThrow(RangeError);
    expect(() => decode({ maxBuffer: Infinity })).not.toThrow();
  },
);

test.each([decodeSse, decodeNdjson])("what is neither bytes nor text is refused: %o", async (decode) => {
  for (const wrong of [{ data: "{}" }, [1], null, undefined, 7]) {
    const read = collect(pipe(from([wrong as never]), decode() as Operator<never, unknown>));
    await expect(read).rejects.toMatchObject({
      code: "protocol",
      message: expect.stringMatching(/^Expected bytes or text, but got: /) as string,
    });
  }
});
