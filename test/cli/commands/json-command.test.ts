import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { applyPatch, type Operation } from "fast-json-patch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Stop } from "#src/cli/terminal/stop.js";
import { parsed, run } from "../harness.js";

const chunks = ['{"name": "Gree', 'n tea", "min', 'utes": 1', '0, "steps": ["Warm the', ' pot", "Pour"]}'];
const value = { name: "Green tea", minutes: 10, steps: ["Warm the pot", "Pour"] };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-cli-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe("what a model wrote", () => {
  const text = "Sure, here it is:\n```json\n{name: 'Ada',}\n```\n";

  it("is refused, as the text is to be JSON", async () => {
    expect(await run(["json"], { stdin: [text] })).toMatchObject({ code: 1, stdout: "" });
  });

  it("is read with --lenient, each repair reported", async () => {
    expect(await run(["json", "--lenient", "--final"], { stdin: [text] })).toEqual({
      code: 0,
      stdout: '{"name":"Ada"}\n',
      stderr:
        "millrace json: repaired: unquoted key at character 28\n" +
        "millrace json: repaired: quote at character 34\n" +
        "millrace json: repaired: trailing comma at character 40\n",
    });
  });
});

describe("the forms of output", () => {
  const forms: [argv: string[], lines: string[]][] = [
    [
      [],
      [
        '[{"op":"replace","path":"","value":{"name":"Gree"}}]',
        '[{"op":"replace","path":"/name","value":"Green tea"}]',
        '[{"op":"add","path":"/minutes","value":10},{"op":"add","path":"/steps","value":["Warm the"]}]',
        '[{"op":"replace","path":"/steps/0","value":"Warm the pot"},{"op":"add","path":"/steps/1","value":"Pour"}]',
      ],
    ],
    [
      ["--append"],
      [
        '[{"op":"replace","path":"","value":{"name":"Gree"}}]',
        '[{"op":"append","path":"/name","value":"n tea"}]',
        '[{"op":"add","path":"/minutes","value":10},{"op":"add","path":"/steps","value":["Warm the"]}]',
        '[{"op":"append","path":"/steps/0","value":" pot"},{"op":"add","path":"/steps/1","value":"Pour"}]',
      ],
    ],
    [
      ["--snapshots"],
      [
        '{"name":"Gree"}',
        '{"name":"Green tea"}',
        '{"name":"Green tea","minutes":10,"steps":["Warm the"]}',
        '{"name":"Green tea","minutes":10,"steps":["Warm the pot","Pour"]}',
      ],
    ],
    [
      ["--items", "/steps"],
      ['"Warm the pot"', '"Pour"'],
    ],
    [["--final"], ['{"name":"Green tea","minutes":10,"steps":["Warm the pot","Pour"]}']],
  ];
  it.each(forms)("millrace json %j", async (argv, lines) => {
    expect(await run(["json", ...argv], { stdin: chunks })).toEqual({
      code: 0,
      stdout: `${lines.join("\n")}\n`,
      stderr: "",
    });
  });

  it("--patches is the default, and the patches make the value", async () => {
    const { stdout } = await run(["json", "--patches"], { stdin: chunks });
    expect(stdout).toBe((await run(["json"], { stdin: chunks })).stdout);
    let document: unknown = null;
    for (const patch of parsed(stdout)) document = applyPatch(document, patch as Operation[]).newDocument;
    expect(document).toEqual(value);
  });

  it("takes bytes, cut inside a character", async () => {
    const bytes = Buffer.from('["añ😀"]');
    const { stdout } = await run(["json", "--final"], {
      stdin: Array.from(bytes, (byte) => Buffer.of(byte)),
    });
    expect(stdout).toBe('["añ😀"]\n');
  });

  it("--items '' gives the elements of an array at the root", async () => {
    const { stdout } = await run(["json", "--items", ""], { stdin: ["[1, [2], ", "3]"] });
    expect(stdout).toBe("1\n[2]\n3\n");
  });
});

describe("bad input", () => {
  const bad: [name: string, stdin: (string | Uint8Array)[], stdout: string, stderr: string][] = [
    [
      "text that is cut",
      ['{"a": [1, 2'],
      '[{"op":"replace","path":"","value":{"a":[1]}}]\n',
      `millrace json: The text ended inside the document: expected the end of the number in /a/1 (line 1, column 12).
  1 | {"a": [1, 2
    |            ^
Value so far: {"a":[1]} (11 characters read).
`,
    ],
    [
      "a wrong character, in a later line and chunk",
      ['{\n  "age": 3,\n', '  "name": Ada\n}'],
      '[{"op":"replace","path":"","value":{"age":3}}]\n',
      `millrace json: Expected a value, but found "A" in /name (line 3, column 11).
  3 |   "name": Ada
    |           ^
Value so far: {"age":3} (24 characters read).
`,
    ],
    [
      "text after the document",
      ['{"a": 1} and more'],
      '[{"op":"replace","path":"","value":{"a":1}}]\n',
      `millrace json: Expected nothing after the document, but found "a" (line 1, column 10).
  1 | {"a": 1} and more
    |          ^
Value so far: {"a":1} (9 characters read).
`,
    ],
    [
      "nothing at all",
      [],
      "",
      `millrace json: Expected a JSON value, but the text ended before one began (line 1, column 1).
No value so far (0 characters read).
`,
    ],
    [
      "bytes that are not UTF-8",
      [Buffer.from('{"a": "'), Buffer.of(0x31, 0xff)],
      '[{"op":"replace","path":"","value":{"a":""}}]\n',
      "millrace json: The input is not UTF-8: found an invalid byte in bytes 8 to 9.\n",
    ],
    [
      "escape sequences of a terminal, which are shown and not obeyed",
      ['{"a": \u001b[2J'],
      '[{"op":"replace","path":"","value":{}}]\n',
      `millrace json: Expected a value, but found "\\u001b" in /a (line 1, column 7).
  1 | {"a": ␛[2J
    |       ^
Value so far: {} (6 characters read).
`,
    ],
  ];
  it.each(bad)("%s", async (_name, stdin, stdout, stderr) => {
    expect(await run(["json"], { stdin })).toEqual({ code: 1, stdout, stderr });
  });

  it("nesting without an end", async () => {
    const { code, stderr } = await run(["json", "--final"], { stdin: ["[".repeat(5_000)] });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^millrace json: .*maxDepth \(1000\)/);
  });

  it("--items of what is no array", async () => {
    expect(await run(["json", "--items", "/a"], { stdin: ['{"a": {"b": 1}}'] })).toEqual({
      code: 1,
      stdout: "",
      stderr: 'millrace json: Expected an array at /a, but found {"b":1}.\n',
    });
  });

  it("shows of a large value its beginning and its end", async () => {
    const text = `[${Array.from({ length: 500 }, (_, i) => i).join(",")}`;
    const { stderr } = await run(["json", "--final"], { stdin: [text] });
    const known = stderr.split("\n").find((line) => line.startsWith("Value so far")) ?? "";
    expect(known).toMatch(/^Value so far: \[0,1,2,.*… .*,497,498\] \(1,890 characters read\)\.$/);
    expect(known.length).toBeLessThan(220);
  });
});

describe("--schema", () => {
  const schema = JSON.stringify({
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, steps: { type: "array", items: { type: "string" } } },
  });

  it("refuses --items of a place where the schema has no array", async () => {
    const path = await file("items.json", schema);
    const { code, stderr } = await run(["json", "--items", "/name", "--schema", path]);
    expect(code).toBe(2);
    expect(stderr).toContain('--items: Expected an array at "/name"');
  });

  it("lets pass what satisfies it", async () => {
    const path = await file("ok.json", schema);
    expect(await run(["json", "--final", "--schema", path], { stdin: chunks })).toEqual({
      code: 0,
      stdout: `${JSON.stringify(value)}\n`,
      stderr: "",
    });
  });

  it("reports the first violation with its pointer, after the output until there, with a code of its own", async () => {
    const path = await file("violations.json", schema);
    expect(await run(["json", "--schema", path], { stdin: ['{"steps": ["a", 2]}'] })).toEqual({
      code: 4,
      stdout: '[{"op":"replace","path":"","value":{"steps":["a"]}}]\n',
      stderr: `millrace json: The value does not satisfy the schema: 1 violation.
  /steps/1  Expected a string, but got 2.
`,
    });
    for (const argv of [["--snapshots"], ["--items", "/steps"], ["--final"]]) {
      const { code } = await run(["json", ...argv, "--schema", path], { stdin: ['{"steps": ["a", 2]}'] });
      expect(code).toBe(4);
    }
  });

  it("must be there, be JSON, and be a schema: before anything is read", async () => {
    const help = "See millrace json --help.\n";
    const cases: [path: string, message: string][] = [
      ["/nowhere/s.json", 'The schema file "/nowhere/s.json" cannot be read: there is no such file.'],
      [folder, `The schema file "${folder}" cannot be read: it is a directory.`],
      [await file("array.json", "[]"), "must hold a JSON Schema object, but holds an array."],
      [await file("null.json", "null"), "must hold a JSON Schema object, but holds null."],
      [await file("text.json", '"s"'), "must hold a JSON Schema object, but holds a string."],
      [
        await file("cut.json", '{\n"type": }'),
        'is not JSON. Expected a value, but found "}" in /type (line 2, column 9).',
      ],
      [await file("ref.json", '{"$ref": "#/nowhere"}'), "Unresolved $ref"],
    ];
    for (const [path, message] of cases) {
      let reads = 0;
      async function* input(): AsyncGenerator<string> {
        reads++;
        yield "1";
      }
      const { code, stdout, stderr } = await run(["json", "--schema", path], { stdin: input() });
      expect({ code, stdout, reads }).toEqual({ code: 2, stdout: "", reads: 0 });
      expect(stderr).toContain(message);
      expect(stderr.endsWith(help)).toBe(true);
    }
  });
});

describe("the stream", () => {
  it("writes what a chunk gives before the next one is read", async () => {
    const stdout = new PassThrough();
    const seen: string[] = [];
    async function* input(): AsyncGenerator<string> {
      for (const chunk of chunks) {
        yield chunk;
        await new Promise(setImmediate);
        seen.push(String(stdout.read() ?? ""));
      }
    }
    await run(["json", "--snapshots"], { stdin: input(), stdout });
    expect(seen).toEqual([
      '{"name":"Gree"}\n',
      '{"name":"Green tea"}\n',
      "",
      '{"name":"Green tea","minutes":10,"steps":["Warm the"]}\n',
      '{"name":"Green tea","minutes":10,"steps":["Warm the pot","Pour"]}\n',
    ]);
  });

  it("reads no further than its reader does", async () => {
    const stdout = new PassThrough({ highWaterMark: 64 });
    let given = 0;
    async function* input(): AsyncGenerator<string> {
      yield "[";
      for (; given < 1_000; given++) yield `"${"x".repeat(30)}",`;
      yield "0]";
    }
    const running = run(["json", "--items", ""], { stdin: input(), stdout });
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    expect(given).toBeLessThan(20);
    stdout.resume();
    expect((await running).code).toBe(0);
    expect(given).toBe(1_000);
  });

  it("ends quietly when its reader goes away, and closes the source", async () => {
    let closed = 0;
    async function* input(): AsyncGenerator<string> {
      try {
        yield "[1";
        for (;;) {
          await new Promise(setImmediate);
          yield ",1";
        }
      } finally {
        closed++;
      }
    }
    let lines = 0;
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(++lines < 3 ? null : Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
      },
    });
    expect(await run(["json"], { stdin: input(), stdout })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(closed).toBe(1);
  });

  it("reports a disk that is full", async () => {
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }));
      },
    });
    const { code, stderr } = await run(["json"], { stdin: ["[1,", "2,", "3]"], stdout });
    expect(code).toBe(5);
    expect(stderr).toBe(
      "millrace json: The output cannot be written: ENOSPC: no space left on device, write.\n",
    );
  });

  it("ends at once when it is interrupted, also while its source hangs, and closes the source", async () => {
    const controller = new AbortController();
    let closed = 0;
    const input = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: () => {
          closed++;
          return Promise.resolve({ done: true as const, value: undefined });
        },
      }),
    };
    const running = run(["json"], { stdin: input, signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort(new Stop("interrupted"));
    expect(await running).toEqual({ code: 130, stdout: "", stderr: "" });
    expect(closed).toBe(1);
  });

  it("says on a terminal what it waits for", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    stdin.end("1");
    const { stderr } = await run(["json"], { stdin });
    expect(stderr).toContain("Ctrl-D");
  });
});

it("takes no file as an argument, and says how to give one", async () => {
  expect(await run(["json", "data.json"])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "millrace json: Expected no arguments, but got data.json. To read a file, use: millrace json < FILE.\n" +
      "See millrace json --help.\n",
  });
});
