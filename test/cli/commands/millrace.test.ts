import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { exitCodes } from "#src/cli/terminal/exit-codes.js";
import { run } from "../harness.js";
import { Screen } from "../screen.js";

describe("help", () => {
  it("is printed to standard output for the command and its subcommands, without the exit codes", async () => {
    for (const argv of [["--help"], ["-h"], ["help"]]) {
      const { code, stdout, stderr } = await run(argv);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^millrace: /);
      for (const command of ["json", "run", "extract", "demo", "playground"])
        expect(stdout).toContain(`  ${command} `);
      expect(stdout).not.toMatch(/^ +130 /m);
    }
    for (const command of ["json", "run", "extract", "demo", "playground"]) {
      const { code, stdout, stderr } = await run([command, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^millrace ${command}: `));
      expect((await run(["help", command])).stdout).toBe(stdout);
      expect(stdout).not.toMatch(/^ +130 /m);
    }
  });

  it("lists the exit codes on request", async () => {
    const { code, stdout } = await run(["help", "exit-codes"]);
    expect(code).toBe(0);
    for (const exitCode of Object.values(exitCodes))
      expect(stdout).toMatch(new RegExp(`^ +${exitCode} `, "m"));
  });

  it("reports an unknown topic of help, with a similar one", async () => {
    const { code, stdout, stderr } = await run(["help", "exit-code"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("exit-codes");
  });

  it.each([40, 80, 100, 120])("fits a terminal of %d columns", async (columns) => {
    const names = ["json", "run", "extract", "worker", "demo", "playground", "exit-codes"];
    for (const argv of [[], ["--help"], ...names.map((name) => ["help", name])]) {
      const screen = new Screen(columns, 200);
      await run(argv, { stdout: screen, stderr: screen, env: { NO_COLOR: "1" } });
      expect(screen.written).toMatch(/\n\n(Usage|Exit codes)\n/);
      for (const line of screen.written.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it("breaks an example so that it can be pasted", async () => {
    const screen = new Screen(40, 200);
    await run(["run", "-h"], { stdout: screen, env: { NO_COLOR: "1" } });
    const example = screen.written.slice(screen.written.indexOf("Example\n") + 8);
    expect(example.replace(/ \\\n +/g, " ").trim()).toBe(
      'millrace run --model openai:gpt-6.1-terra --schema recipe.schema.json "A recipe for green tea"',
    );
  });

  it("lists every option of a command", async () => {
    for (const command of ["json", "run", "extract", "demo", "playground"]) {
      const { stderr } = await run([command, "--nonsense"]);
      const { stdout } = await run([command, "--help"]);
      const options = stderr.match(/--[a-z-]+/g)?.filter((name) => !/nonsense|help/.test(name)) ?? [];
      expect(options.length).toBeGreaterThan(1);
      for (const name of options) expect(stdout).toContain(`  ${name}`);
    }
  });
});

it("--version prints the version of the package", async () => {
  const manifest = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  for (const argv of [["--version"], ["-v"]]) {
    expect(await run(argv)).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  }
});

it("an error is wrapped at the width of a terminal, and not elsewhere", async () => {
  const screen = new Screen(40, 20);
  await run(["json", "--nonsense"], { stderr: screen });
  expect(screen.text.split("\n").length).toBeGreaterThan(3);
  const { stderr } = await run(["json", "--nonsense"]);
  expect(screen.text.replace(/\n/g, " ")).toBe(stderr.trimEnd().replace(/\n/g, " "));
  const json = new Screen(40, 20);
  await run(["json"], { stdin: ['{"a": [tru}'], stderr: json });
  expect(json.text).toContain('\n  1 | {"a": [tru}\n    |           ^\n');
});

describe("an invalid call", () => {
  const wrong: [argv: string[], words: string[]][] = [
    [[], ["Usage", "reads JSON or NDJSON", "-h, --help"]],
    [["jsno"], ["jsno", "Did you mean json?", "millrace --help"]],
    [["summarise"], ["summarise", "json, run, extract, worker, demo, playground", "millrace --help"]],
    [["people.json"], ["millrace json people.json"]],
    [["--foo"], ["--foo", "json, run, extract, worker, demo, playground", "millrace --help"]],
    [["--verison"], ["--verison", "Did you mean --version?", "millrace --help"]],
    [
      ["json", "--itms", "/a"],
      ["--itms", "Did you mean --items?", "json --help"],
    ],
    [
      ["run", "--patch"],
      ["--patch.", "Did you mean --patches?", "run --help"],
    ],
    [
      ["json", "--nonsense"],
      ["--patches, --append, --snapshots, --items, --final, --ndjson, --schema, --lenient", "json --help"],
    ],
    [
      ["json", "--patches", "--snapshots"],
      ["--patches", "--snapshots", "millrace json --help"],
    ],
    [
      ["demo", "x"],
      ["x", "millrace demo --help"],
    ],
  ];
  it.each(wrong)("%j", async (argv, words) => {
    const { code, stdout, stderr } = await run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    for (const word of words) expect(stderr).toContain(word);
  });
});
