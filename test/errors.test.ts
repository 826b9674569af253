import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ModelError } from "millrace";

test("an error has only the details that are known, so Node prints no others", () => {
  const error = new ModelError("no_key", "No key.", { environmentVariable: "A_KEY", status: undefined });
  expect(Object.keys(error).sort()).toEqual(["code", "environmentVariable", "name", "retryable"]);
  expect(inspect(error)).not.toContain("undefined");
  expect(error.status).toBeUndefined();
});

/** Values that are passed to other functions, and errors, which nobody calls without arguments. */
const internals =
  /Error$|^(?:SchemaViolation|LLMResult|coerce|extract|fast|formatJsonError|isDestructive|joinPatches|mergeChunk)$/;
/** Bounded in bytes for pages, typed by TypeScript, or the shape of another library. */
const unchecked =
  /^(?:use[A-Z]\w*|create(?:Object|Patch)Store|createThreadClient|(?:chatGeneration|mergeGeneration)\w*)$/;
const entries = [
  "",
  "/agent",
  "/anthropic",
  "/durable",
  "/gemini",
  "/json",
  "/mcp",
  "/models",
  "/ollama",
  "/openai",
];
entries.push("/redis", "/schema", "/serve", "/testing", "/thread", "/ui", "/xml");

test.each(entries)(
  "no function of millrace%s that lacks its arguments fails in words of the engine",
  async (entry) => {
    const module = (await import(`millrace${entry}`)) as Readonly<Record<string, unknown>>;
    const failures: string[] = [];
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== "function" || internals.test(name) || unchecked.test(name)) continue;
      try {
        await (/^class\b/.test(String(value))
          ? Reflect.construct(value, [])
          : Reflect.apply(value, undefined, []));
      } catch (error) {
        if (/Cannot|not iterable|not a function|must be of type|weak/.test(String(error)))
          failures.push(`${name}: ${String(error)}`);
      }
    }
    expect(failures).toEqual([]);
  },
);
