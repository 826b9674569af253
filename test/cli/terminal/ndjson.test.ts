import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { writeText, writeLine } from "#src/cli/terminal/ndjson.js";
import { Stop } from "#src/cli/terminal/stop.js";

const never = new AbortController().signal;

describe("writeLine", () => {
  it("writes one document per line", async () => {
    const stream = new PassThrough();
    await writeLine(stream, { a: "one\ntwo" }, never);
    await writeLine(stream, null, never);
    await new Promise(setImmediate);
    expect(String(stream.read())).toBe('{"a":"one\\ntwo"}\nnull\n');
  });
});

describe("write", () => {
  it("escapes on a terminal what JSON.stringify() leaves and could change the screen", async () => {
    const screen = Object.assign(new PassThrough(), { isTTY: true });
    const text = `${JSON.stringify("\u009b2J \u007f \u202eab\u2069 é")}\n`;
    await writeText(screen, text, never);
    await new Promise(setImmediate);
    const written = String(screen.read());
    expect(written).toBe('"\\u009b2J \\u007f \\u202eab\\u2069 é"\n');
    expect(JSON.parse(written)).toBe(JSON.parse(text));
    const file = new PassThrough();
    await writeText(file, text, never);
    await new Promise(setImmediate);
    expect(String(file.read())).toBe(text);
  });

  it("waits for a slow reader", async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    let written = false;
    const writing = writeText(stream, "12345678", never).then(() => (written = true));
    await new Promise(setImmediate);
    expect(written).toBe(false);
    stream.read();
    await writing;
    expect(written).toBe(true);
  });

  it("stops waiting when the signal aborts, with its reason", async () => {
    const controller = new AbortController();
    const stop = new Stop("reader_gone");
    const writing = writeText(new PassThrough({ highWaterMark: 1 }), "12", controller.signal);
    controller.abort(stop);
    await expect(writing).rejects.toBe(stop);
    await expect(writeText(new PassThrough(), "12", controller.signal)).rejects.toBe(stop);
  });

  it("rejects with the error of the stream", async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const error = new Error("disk full");
    const writing = writeText(stream, "12", never);
    stream.destroy(error);
    await expect(writing).rejects.toBe(error);
  });
});
