import { collect, from, pipe } from "millrace";
import { describe, expect, it } from "vitest";
import { InputError } from "#src/cli/terminal/input-error.js";
import { readText } from "#src/cli/commands/read-text.js";

function read(...chunks: (Uint8Array | string)[]): Promise<string[]> {
  return collect(pipe(from(chunks), readText()));
}

describe("readText", () => {
  it("gives each chunk as soon as it is there, and a cut character with its second half", async () => {
    const bytes = new TextEncoder().encode("añ😀");
    expect(await read(bytes.slice(0, 2), bytes.slice(2, 5), bytes.slice(5))).toEqual(["a", "ñ", "😀"]);
    expect((await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).join("")).toBe("añ😀");
  });

  it("drops a byte order mark, and takes text as it is", async () => {
    expect(await read(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toEqual(["1"]);
    expect(await read("te", "xt")).toEqual(["te", "xt"]);
  });

  it("refuses bytes that are not UTF-8, after giving what came before", async () => {
    const seen: string[] = [];
    const reading = (async () => {
      for await (const text of pipe(from([Uint8Array.of(0x31), Uint8Array.of(0x32, 0xff)]), readText()))
        seen.push(text);
    })();
    await expect(reading).rejects.toEqual(
      new InputError("not_utf8", "The input is not UTF-8: found an invalid byte in bytes 2 to 3."),
    );
    expect(seen).toEqual(["1"]);
  });

  it("refuses an input that ends inside a character", async () => {
    await expect(read(Uint8Array.of(0x31, 0xc3))).rejects.toEqual(
      new InputError("not_utf8", "The input is not UTF-8: it ends inside a character, after byte 2."),
    );
  });

  it("closes the input when its reader leaves", async () => {
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
