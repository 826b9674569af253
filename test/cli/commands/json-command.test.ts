import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { applyPatch, type Operation } from "fast-json-patch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Stop } from "#src/cli/terminal/stop.js";
import { everyWay } from "millrace/testing";
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

describe("JSON with prose and repairs", () => {
  const text = "Sure, here it is:\n```json\n{name: 'Ada',}\n```\n";

  it("is rejected by default", async () => {
    expect(await run(["json"], { stdin: [text] })).toMatchObject({ code: 1, stdout: "" });
  });

  it("is parsed with --lenient, which reports each repair", async () => {
    const { code, stdout, stderr } = await run(["json", "--lenient", "--final"], { stdin: [text] });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"name":"Ada"}\n' });
    expect(stderr).toMatch(/^.*unquoted key.*\b28\n.*quote.*\b34\n.*trailing comma.*\b40\n$/);
  });
});

describe("coercions", () => {
  const number = { type: "object", properties: { price: { type: "number" } } };
  const schemaFile = (): Promise<string> => file("price.json", JSON.stringify(number));

  it("are reported with --schema and --lenient, as lines on standard error", async () => {
    const argv = ["json", "--schema", await schemaFile(), "--lenient", "--final"];
    const { code, stdout, stderr } = await run(argv, { stdin: ['{"price": "$1,234.5', '0"}'] });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"price":1234.5}\n' });
    expect(stderr).toMatch(/^.*number at \/price.*"\$1,234\.50".*1234\.5\n$/);
  });

  it("and --items show keys of the input without control characters, on one line", async () => {
    const open = '{"a\\u001b[2J\\u009b\\nb": {"price": "7"}}';
    const free = { type: "object", additionalProperties: number };
    const argv = ["json", "--schema", await file("free.json", JSON.stringify(free)), "--lenient", "--final"];
    const { stderr } = await run(argv, { stdin: [open] });
    expect(stderr).toBe('millrace json: coerced: number at /a␛[2J\ufffd␊b/price: "7" read as 7\n');
    const miss = await run(["json", "--items", "/list"], { stdin: [open] });
    expect(miss.stderr).toBe(
      'millrace json: --items /list matched nothing. The root has no "list", only a␛[2J\ufffd␊b.\n',
    );
  });

  it("follow --locale", async () => {
    const argv = ["json", "--schema", await schemaFile(), "--lenient", "--final"];
    const stdin = ['{"price": "1.234"}'];
    expect(await run(argv, { stdin })).toMatchObject({ code: 4 });
    expect(await run([...argv, "--locale", "de"], { stdin })).toMatchObject({ stdout: '{"price":1234}\n' });
  });

  it.each([["x!"], []])("refuse a wrong --locale, and one without --lenient", async (...wrong) => {
    const argv = ["json", "--schema", await schemaFile(), ...(wrong.length > 0 ? ["--lenient"] : [])];
    const { code, stderr } = await run([...argv, "--locale", wrong[0] ?? "de"], { stdin: ["{}"] });
    expect(code).toBe(2);
    expect(stderr).toContain("locale");
  });
});

describe("output modes", () => {
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

  it("--patches is the default, and its patches produce the value", async () => {
    const { stdout } = await run(["json", "--patches"], { stdin: chunks });
    expect(stdout).toBe((await run(["json"], { stdin: chunks })).stdout);
    let document: unknown = null;
    for (const patch of parsed(stdout)) document = applyPatch(document, patch as Operation[]).newDocument;
    expect(document).toEqual(value);
  });

  it("accepts bytes that split a character", async () => {
    const bytes = Buffer.from('["añ😀"]');
    const { stdout } = await run(["json", "--final"], {
      stdin: Array.from(bytes, (byte) => Buffer.of(byte)),
    });
    expect(stdout).toBe('["añ😀"]\n');
  });

  it("--items '' writes the elements of an array at the root", async () => {
    const { stdout } = await run(["json", "--items", ""], { stdin: ["[1, [2], ", "3]"] });
    expect(stdout).toBe("1\n[2]\n3\n");
  });
});

describe("bad input", () => {
  const bad: [name: string, stdin: (string | Uint8Array)[], stdout: string, facts: string[]][] = [
    [
      "an incomplete text",
      ['{"a": [1, 2'],
      '[{"op":"replace","path":"","value":{"a":[1]}}]\n',
      [
        "/a/1",
        "line 1, column 12",
        '\n  1 | {"a": [1, 2\n    |            ^\n',
        ' {"a":[1]} ',
        "11 characters",
      ],
    ],
    [
      "an invalid character in a later line and chunk",
      ['{\n  "age": 3,\n', '  "name": Ada\n}'],
      '[{"op":"replace","path":"","value":{"age":3}}]\n',
      ['"A"', "/name", "line 3, column 11", '\n  3 |   "name": Ada\n    |           ^\n', ' {"age":3} '],
    ],
    [
      "text after the document",
      ['{"a": 1} and more'],
      '[{"op":"replace","path":"","value":{"a":1}}]\n',
      ['"a"', "line 1, column 10", '\n  1 | {"a": 1} and more\n    |          ^\n', ' {"a":1} '],
    ],
    ["empty input", [], "", ["line 1, column 1", "0 characters"]],
    [
      "bytes that are not UTF-8",
      [Buffer.from('{"a": "'), Buffer.of(0x31, 0xff)],
      '[{"op":"replace","path":"","value":{"a":""}}]\n',
      ["UTF-8", "bytes 8 to 9"],
    ],
    [
      "escape sequences of a terminal, which are escaped in the message",
      ['{"a": \u001b[2J'],
      '[{"op":"replace","path":"","value":{}}]\n',
      ['"\\u001b"', "/a", '\n  1 | {"a": ␛[2J\n    |       ^\n'],
    ],
  ];
  it.each(bad)("%s", async (_name, stdin, stdout, facts) => {
    const outcome = await run(["json"], { stdin });
    expect(outcome).toMatchObject({ code: 1, stdout });
    for (const fact of facts) expect(outcome.stderr).toContain(fact);
  });

  it("an invalid item in the same chunk as valid ones, which are written first", async () => {
    for (const argv of [["json"], ["json", "--ndjson"]]) {
      let text = "";
      const terminal = (): Writable =>
        new Writable({
          write(chunk, _encoding, done) {
            text += String(chunk);
            done();
          },
        });
      const setting = { stdin: ["[1,2,x]"], stdout: terminal(), stderr: terminal() };
      await run([...argv, "--items", ""], setting);
      expect(text).toMatch(/^1\n2\nmillrace json: /);
    }
  });

  it("unlimited nesting", async () => {
    const { code, stderr } = await run(["json", "--final"], { stdin: ["[".repeat(5_000)] });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^millrace json: .*maxDepth \(1000\)/);
  });

  it("--items of a value that is not an array", async () => {
    const { code, stdout, stderr } = await run(["json", "--items", "/a"], { stdin: ['{"a": {"b": 1}}'] });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/array at \/a\b.*found an object/);
  });

  it("shortens a large value in the error", async () => {
    const text = `[${Array.from({ length: 500 }, (_, i) => i).join(",")}`;
    const { stderr } = await run(["json", "--final"], { stdin: [text] });
    const known = stderr.split("\n").find((line) => line.includes("[0,1,2,")) ?? "";
    expect(known).toMatch(/\[0,1,2,.*… .*,497,498\] .*\b1,890\b/);
    expect(known.length).toBeLessThan(220);
  });
});

describe("a file", () => {
  it("is read instead of standard input", async () => {
    const path = await file("tea.json", chunks.join(""));
    expect(await run(["json", "--final", path], { stdin: ["null"] })).toEqual({
      code: 0,
      stdout: `${JSON.stringify(value)}\n`,
      stderr: "",
    });
    expect((await run(["json", "--final", "-"], { stdin: ["null"] })).stdout).toBe("null\n");
  });

  it("larger than one read is read to its end", async () => {
    const texts = Array.from({ length: 30_000 }, (_, i) => `añ ${i}`);
    const path = await file("large.json", JSON.stringify(texts));
    const { stdout } = await run(["json", "--items", "", path]);
    expect(parsed(stdout)).toEqual(texts);
  });

  it("that cannot be read is reported, and so is a second one", async () => {
    const cases: [argv: string[], message: RegExp][] = [
      [["/nowhere/a.json"], /"\/nowhere\/a\.json".*no such file/],
      [[folder], /directory/],
      [["a.json", "b.json"], /one file.*a\.json b\.json/],
    ];
    for (const [argv, message] of cases) {
      const { code, stdout, stderr } = await run(["json", ...argv]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(message);
    }
  });
});

describe("NDJSON", () => {
  const text = '{"a": 1}\r\n\n  {"a": "ä\\n"}\n[3]';

  it("has an output for each line, with any chunking", async () => {
    const final = '{"a":1}\n{"a":"ä\\n"}\n[3]\n';
    for (const stdin of everyWay(text))
      expect(await run(["json", "--ndjson", "--final"], { stdin })).toEqual({
        code: 0,
        stdout: final,
        stderr: "",
      });
    expect((await run(["json", "--ndjson", "--final"], { stdin: ["\n \n"] })).stdout).toBe("");
  });

  it("begins each document with a patch of the root, and shows a line while it arrives", async () => {
    const { stdout } = await run(["json", "--ndjson"], { stdin: ['[1]\n{"a": "b', 'c"}'] });
    expect(parsed(stdout)).toEqual([
      [{ op: "replace", path: "", value: [1] }],
      [{ op: "replace", path: "", value: { a: "b" } }],
      [{ op: "replace", path: "/a", value: "bc" }],
    ]);
  });

  it("is the default for .ndjson and .jsonl files", async () => {
    for (const name of ["a.ndjson", "a.jsonl"]) {
      const path = await file(name, text);
      expect((await run(["json", "--items", "", path])).code).toBe(1);
      expect((await run(["json", "--final", path])).code).toBe(0);
    }
  });

  it("names the line of an error, after the output of the lines before it", async () => {
    const invalid = await run(["json", "--ndjson", "--final"], { stdin: ["[1]\n\n[2, x]\n[3]"] });
    expect(invalid).toMatchObject({ code: 1, stdout: "[1]\n" });
    expect(invalid.stderr).toMatch(/line 3, column 5\).*\n {2}3 \| \[2, x\]\n {4}\| {5}\^\n/);
    const schema = await file("numbers.json", '{"items": {"type": "number"}}');
    const wrong = await run(["json", "--ndjson", "--final", "--schema", schema], { stdin: ['[1]\n["a"]'] });
    expect(wrong).toMatchObject({ code: 4, stdout: "[1]\n" });
    expect(wrong.stderr).toMatch(/^millrace json: Line 2: .*\n {2}\/0 /);
    const cut = await run(["json", "--ndjson", "--final"], { stdin: ["[1]\n[2"] });
    expect(cut.stderr).toContain("line 2, column 3");
  });

  it("is suggested when a second document follows the first", async () => {
    const { stderr } = await run(["json"], { stdin: ["[1]\n[2]\n"] });
    expect(stderr).toContain("--ndjson");
  });
});

describe("a number that JSON cannot have", () => {
  it.each([
    [["--final"], '{"a": [1e999]}', "/a/0"],
    [["--snapshots"], "-1e999", "the root"],
    [["--patches"], '{"a": null, "b": {"c/d": 1e999}}', "/b/c~1d"],
    [["--items", "/a"], '{"a": [1, null, 1e999]}', "/a/2"],
  ])("%j of %s", async (args, stdin, place) => {
    expect(await run(["json", ...args], { stdin: [stdin] })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`The number at ${place} is too large`) as string,
    });
  });

  it("in a line of NDJSON", async () => {
    const { code, stdout, stderr } = await run(["json", "--ndjson", "--final"], { stdin: ["1\n1e999\n"] });
    expect([code, stdout, stderr]).toEqual([1, "1\n", expect.stringContaining("Line 2: The number")]);
  });
});

describe("--items that match nothing", () => {
  const misses: [pointer: string, stdin: string[], message: RegExp | undefined][] = [
    ["/tag", ['{"tags": ["a"]', ', "n": 1}'], /matched nothing.*\/tags\?/],
    ["/a/list", ['{"a": {"b": [1]}}'], /\/a has no "list".*\bb\b/],
    ["/people", ["[]"], /Did you mean "", an array\?/],
    ["/a/b/-", ['{"a": {"b": []}}'], /Did you mean \/a\/b, an array\?/],
    ["/nam", ['{"name": "Ada"}'], /The root has no "nam", only name\./],
    ["/tags", ['{"tags": []}'], undefined],
  ];
  it.each(misses)("%s of %j", async (pointer, stdin, message) => {
    const { code, stdout, stderr } = await run(["json", "--items", pointer], { stdin });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    if (message === undefined) expect(stderr).toBe("");
    else expect(stderr).toMatch(message);
  });

  it("are reported once for NDJSON, and only if no line has any", async () => {
    const argv = ["json", "--ndjson", "--items", "/a"];
    const none = await run(argv, { stdin: ['{"b": 1}\n{"b": 2}'] });
    expect(none.stderr.match(/matched nothing/g)).toHaveLength(1);
    expect(await run(argv, { stdin: ['{"b": 1}\n{"a": [2]}'] })).toEqual({
      code: 0,
      stdout: "2\n",
      stderr: "",
    });
  });
});

describe("--schema", () => {
  const schema = JSON.stringify({
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, steps: { type: "array", items: { type: "string" } } },
  });

  it("rejects --items of a place that is not an array in the schema", async () => {
    const path = await file("items.json", schema);
    const { code, stderr } = await run(["json", "--items", "/name", "--schema", path]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--items: .*array.*"\/name"/);
  });

  it("accepts a valid document", async () => {
    const path = await file("ok.json", schema);
    expect(await run(["json", "--final", "--schema", path], { stdin: chunks })).toEqual({
      code: 0,
      stdout: `${JSON.stringify(value)}\n`,
      stderr: "",
    });
  });

  it("exits with 4 at the first violation, after the output before it", async () => {
    const path = await file("violations.json", schema);
    const first = await run(["json", "--schema", path], { stdin: ['{"steps": ["a", 2]}'] });
    expect(first).toMatchObject({
      code: 4,
      stdout: '[{"op":"replace","path":"","value":{"steps":["a"]}}]\n',
    });
    expect(first.stderr).toMatch(/^millrace json: .*schema.*\n {2}\/steps\/1 .*string.* a number\.\n$/);
    for (const argv of [["--snapshots"], ["--items", "/steps"], ["--final"]]) {
      const { code } = await run(["json", ...argv, "--schema", path], { stdin: ['{"steps": ["a", 2]}'] });
      expect(code).toBe(4);
    }
  });

  it("rejects missing and invalid schemas before it reads the input", async () => {
    const cases: [path: string, message: RegExp][] = [
      ["/nowhere/s.json", /"\/nowhere\/s\.json" .*no such file/],
      [folder, /directory/],
      [await file("array.json", "[]"), /"\S+array\.json" .*object.* array/],
      [await file("null.json", "null"), /object.* null/],
      [await file("text.json", '"s"'), /object.* string/],
      [await file("cut.json", '{\n"type": }'), /JSON.*"\}".*\/type.*line 2, column 9/],
      [await file("ref.json", '{"$ref": "#/nowhere"}'), /\$ref/],
    ];
    for (const [path, message] of cases) {
      let reads = 0;
      async function* input(): AsyncGenerator<string> {
        reads++;
        yield "1";
      }
      const { code, stdout, stderr } = await run(["json", "--schema", path], { stdin: input() });
      expect({ code, stdout, reads }).toEqual({ code: 2, stdout: "", reads: 0 });
      expect(stderr).toMatch(message);
      expect(stderr).toContain("millrace json --help");
    }
  });
});

describe("the stream", () => {
  it("writes the result of a chunk before it reads the next one", async () => {
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

  it("reads at the pace of its output", async () => {
    const stdout = new PassThrough({ highWaterMark: 64 });
    let produced = 0;
    async function* input(): AsyncGenerator<string> {
      yield "[";
      for (; produced < 1_000; produced++) yield `"${"x".repeat(30)}",`;
      yield "0]";
    }
    const running = run(["json", "--items", ""], { stdin: input(), stdout });
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    expect(produced).toBeLessThan(20);
    stdout.resume();
    expect((await running).code).toBe(0);
    expect(produced).toBe(1_000);
  });

  it("ends without an error when the output is closed, and closes the input", async () => {
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

  it("exits with 5 on a write error", async () => {
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }));
      },
    });
    const { code, stderr } = await run(["json"], { stdin: ["[1,", "2,", "3]"], stdout });
    expect(code).toBe(5);
    expect(stderr).toMatch(/^millrace json: .*output.*ENOSPC/);
  });

  it("ends at once on Ctrl-C while the input hangs, and closes the input", async () => {
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

  it.each([[[]], [["--ndjson"]]])("reports an input that the system cannot read %j", async (options) => {
    async function* stdin(): AsyncGenerator<string> {
      yield "[1,";
      await Promise.resolve();
      throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });
    }
    const { code, stderr } = await run(["json", ...options], { stdin: stdin() });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "millrace json: The input cannot be read: EIO: i/o error, read.\n",
    });
  });

  it("prompts for input on a terminal", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    stdin.end("1");
    const { stderr } = await run(["json"], { stdin });
    expect(stderr).toContain("Ctrl-D");
  });
});
