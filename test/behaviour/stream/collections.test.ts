import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledPrograms } from "../../support/bundled-programs.js";

// V8 on one thread optimises the same functions in each run.
const flags = ["--expose-gc", "--trace-deopt", "--single-threaded"];

// V8 drops the code that it has optimised for objects of a shape when the last of them is collected.
test.each(["patches", "patches with a schema", "snapshots", "xml", "lines of patches"])(
  "a collection between two documents drops no optimised code: %s",
  (format) => {
    const [program = ""] = bundledPrograms(fileURLToPath(new URL("support/collected.ts", import.meta.url)));
    const trace = execFileSync(process.execPath, [...flags, program, format], {
      encoding: "utf8",
      maxBuffer: 1e8,
    });
    const dropped = [...trace.matchAll(/SharedFunctionInfo (\w[^>]*)>.*reason: weak objects/g)];
    expect(dropped.length).toBeLessThan(20);
  },
);
