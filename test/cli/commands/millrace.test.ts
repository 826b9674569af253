import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { run } from "../harness.js";

describe("help", () => {
  it("is given for all and for each command, with the exit codes, to standard output", async () => {
    for (const argv of [["--help"], ["-h"], ["help"]]) {
      const { code, stdout, stderr } = await run(argv);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^millrace: structured output/);
      for (const command of ["json", "run", "demo", "playground"]) expect(stdout).toContain(`  ${command} `);
      expect(stdout).toContain("130  interrupted (Ctrl-C)");
    }
    for (const command of ["json", "run", "demo", "playground"]) {
      const { code, stdout, stderr } = await run([command, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^millrace ${command}: `));
      expect(stdout).toContain("130  interrupted (Ctrl-C)");
    }
  });

  it("fits a terminal of 100 columns", async () => {
    for (const argv of [["--help"], ["json", "-h"], ["run", "-h"], ["demo", "-h"], ["playground", "-h"]]) {
      const { stdout } = await run(argv);
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  it("names every option that a command takes", async () => {
    for (const command of ["json", "run", "demo", "playground"]) {
      const { stderr } = await run([command, "--nonsense"]);
      const { stdout } = await run([command, "--help"]);
      const options = /options are (.*)\./.exec(stderr)?.[1]?.split(", ") ?? [];
      expect(options.length).toBeGreaterThan(1);
      for (const name of options) expect(stdout).toContain(`  ${name}`);
    }
  });
});

it("--version is that of the package", async () => {
  const manifest = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  for (const argv of [["--version"], ["-v"]]) {
    expect(await run(argv)).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  }
});

describe("a wrong call", () => {
  const wrong: [argv: string[], words: string[]][] = [
    [[], ["json, run, demo, playground", "millrace --help"]],
    [["jsno"], ["command jsno", "json, run, demo, playground", "millrace --help"]],
    [["--foo"], ["option --foo", "json, run, demo, playground", "millrace --help"]],
    [
      ["json", "--itms", "/a"],
      [
        "option --itms",
        "--patches, --append, --snapshots, --items, --final, --schema, --lenient",
        "json --help",
      ],
    ],
    [
      ["json", "--patches", "--snapshots"],
      ["--patches and --snapshots", "millrace json --help"],
    ],
    [
      ["demo", "x"],
      ["got x", "millrace demo --help"],
    ],
  ];
  it.each(wrong)("%j", async (argv, words) => {
    const { code, stdout, stderr } = await run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    for (const word of words) expect(stderr).toContain(word);
  });
});
