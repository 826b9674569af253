import { collect, from, pipe } from "millrace";
import { describe, expect, it } from "vitest";
import { readText } from "#src/cli/commands/read-text.js";

function read(...chunks: (Uint8Array | string)[]): Promise<string[]> {
  return collect(pipe(from(chunks), readText()));
}

describe("readText", () => {
  it("yields each chunk when it arrives, and a split character when it is complete", async () => {
    const bytes = new TextEncoder().encode("añ😀");
    expect(await read(bytes.slice(0, 2), bytes.slice(2, 5), bytes.slice(5))).toEqual(["a", "ñ", "😀"]);
    expect((await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).join("")).toBe("añ😀");
  });

  it("removes a byte order mark, and yields strings unchanged", async () => {
    expect(await read(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toEqual(["1"]);
    expect(await read("te", "xt")).toEqual(["te", "xt"]);
  });

  it("rejects bytes that are not UTF-8, after yielding the text before them", async () => {
    const seen: string[] = [];
    const reading = (async () => {
      for await (const text of pipe(from([Uint8Array.of(0x31), Uint8Array.of(0x32, 0xff)]), readText()))
        seen.push(text);
    })();
    await expect(reading).rejects.toMatchObject({
      name: "InputError",
      code: "not_utf8",
      message: expect.stringMatching(/2 to 3/) as string,
    });
    expect(seen).toEqual(["1"]);
  });

  it("rejects an input that ends inside a character", async () => {
    await expect(read(Uint8Array.of(0x31, 0xc3))).rejects.toMatchObject({
      name: "InputError",
      code: "not_utf8",
      message: expect.stringMatching(/byte 2\b/) as string,
    });
  });

  it("closes the input when its consumer leaves", async () => {
    let closed = 0;
    async function* input(): AsyncGenerator<string> {
      try {
        yield "a";
        yield "b";
      } finally {
        closed++;
      }
    }
    for await (const _text of pipe(input(), readText())) break;
    expect(closed).toBe(1);
  });
});
