import { applyPatch, type JsonPatch, type JsonValue } from "millrace/json";
import { schemaOf } from "millrace/schema";
import { describe, expect, it, vi } from "vitest";
import { recipeSchema, recipeText } from "#src/cli/commands/demo/recipe.js";
import { Stop } from "#src/cli/terminal/stop.js";
import { parsed, run } from "../harness.js";
import { events, eventStream, serve } from "../../../scripts/model-server.js";
import { Screen } from "../screen.js";

const recipe: unknown = JSON.parse(recipeText);

describe("the demo recipe", () => {
  it("satisfies its schema, which OpenAI's strict mode accepts", () => {
    expect(schemaOf(recipeSchema).validate(recipe)).toEqual({ value: recipe });
    const check = (schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
      if (type === "object") {
        expect(additionalProperties).toBe(false);
        expect(required).toEqual(Object.keys(properties as object));
      }
      Object.values(schema).forEach(check);
    };
    check(recipeSchema);
  });
});

// The mock model takes some seconds to write, so these tests run concurrently.
describe.concurrent("millrace demo without a key", () => {
  it("writes patches, then the recipe, if the output is not a terminal", async ({ expect }) => {
    const { code, stdout, stderr } = await run(["demo"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = parsed(stdout);
    const result = lines.pop();
    expect(result).toEqual(recipe);
    expect(lines.length).toBeGreaterThan(100);
    expect(stdout).toContain('{"op":"append"');
    let document: JsonValue | undefined;
    for (const patch of lines) document = applyPatch(document, patch as JsonPatch);
    expect(document).toEqual(result);
  });

  it("updates the value in place on a terminal, then prints statistics", async ({ expect }) => {
    const screen = new Screen(100, 30);
    const seen: string[] = [];
    const watch = setInterval(() => seen.push(screen.text), 200);
    const { code, stderr } = await run(["demo"], { stdout: screen, env: { NO_COLOR: "1" } });
    clearInterval(watch);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

    const growing = seen.filter((text) => text.includes("▌"));
    expect(growing.length).toBeGreaterThan(5);
    for (const text of seen.slice(0, -1))
      expect(text.match(/millrace demo/g) ?? []).toHaveLength(text === "" ? 0 : 1);

    expect(screen.cursorVisible).toBe(true);
    expect(screen.text).not.toContain("▌");
    expect(screen.text).toMatch(/^millrace demo .*http:\/\/127\.0\.0\.1:\d+\/v1\n\ntitle: Lemon/);
    expect(screen.text).toContain("\n  - amount: 1.2 · unit: l · item: vegetable stock, kept hot\n");
    expect(screen.text).toMatch(
      /✓.*\n\n.*chunks.* \d+\n.*patches.* \d+\n.*snapshots.* kB\n.*patches.* kB {2}1\/\d+\n.*append.* kB {2}1\/\d+\n\nNext\n {2}npx millrace playground\n[^]*OPENAI_API_KEY/,
    );
  });

  it("names the playground as npm does in a clone", async ({ expect }) => {
    const screen = new Screen(40, 60);
    await run(["demo"], { stdout: screen, env: { NO_COLOR: "1", npm_lifecycle_event: "start" } });
    expect(screen.text).toContain("Next\n  npm run playground\n      watch each chunk");
    for (const line of screen.text.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  it("fits a small terminal, and shows the end of the value", async ({ expect }) => {
    const screen = new Screen(40, 12);
    const seen: string[] = [];
    const watch = setInterval(() => seen.push(screen.text), 100);
    const { code } = await run(["demo"], { stdout: screen, env: { NO_COLOR: "1" } });
    clearInterval(watch);
    expect(code).toBe(0);
    const live = seen.filter((text) => text.includes("⋮"));
    expect(live.length).toBeGreaterThan(5);
    for (const text of live) {
      const lines = text.split("\n");
      expect(lines.length).toBe(11);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
      expect(lines.at(-1)).toMatch(/^\d+ chunks · \d+ patches$/);
    }
  });

  it("ends at once on Ctrl-C, restores the cursor and keeps the last frame", async ({ expect }) => {
    const screen = new Screen(80, 30);
    const controller = new AbortController();
    const running = run(["demo"], { stdout: screen, signal: controller.signal });
    await expect.poll(() => screen.text, { interval: 20 }).toContain("servings: 4");
    expect(screen.cursorVisible).toBe(false);
    controller.abort(new Stop("interrupted"));
    expect(await running).toEqual({ code: 130, stdout: "", stderr: "" });
    expect(screen.cursorVisible).toBe(true);
    expect(screen.text).toContain("servings: 4");
    expect(screen.text).not.toContain("satisfies");
    const address = /http:\S+/.exec(screen.text)?.[0] ?? "";
    await expect(fetch(address)).rejects.toThrow("fetch failed"); // the server is closed
  });
});

describe("millrace demo with another server", () => {
  it("shows its address without a password or parameters", async () => {
    const screen = new Screen(80, 30);
    const argv = ["demo", "--base-url", "http://me:secret@127.0.0.1:9/v1?key=secret"];
    await run(argv, { stdout: screen });
    expect(screen.written).toContain("127.0.0.1:9/v1");
    expect(screen.written).not.toContain("secret");
  });

  it("calls the server of --base-url or of the environment", async () => {
    const server = await serve((response) => {
      eventStream(response).end(events([recipeText.slice(0, 700), recipeText.slice(700)]));
    });
    const cases: [argv: string[], env: Record<string, string>][] = [
      [["--base-url", server.baseURL], {}],
      [["--model", "mine"], { OPENAI_API_KEY: "the key", OPENAI_BASE_URL: server.baseURL }],
    ];
    for (const [argv, env] of cases) {
      const { code, stdout } = await run(["demo", ...argv], { env });
      expect(code).toBe(0);
      expect(parsed(stdout)).toHaveLength(3);
      expect(parsed(stdout).at(-1)).toEqual(recipe);
    }
    expect(server.requests.map(({ body, headers }) => [body["model"], headers.authorization])).toEqual([
      ["gpt-6.1-terra", undefined],
      ["mine", "Bearer the key"],
    ]);
    await server.stop();
  });

  it("fails if the answer does not satisfy the schema", async () => {
    const server = await serve((response) => {
      eventStream(response).end(events(['{"title": "Toast"}']));
    });
    const screen = new Screen(80, 20);
    const { code, stderr } = await run(["demo", "--base-url", server.baseURL], { stdout: screen });
    expect(code).toBe(4);
    expect(stderr).toMatch(/^millrace demo: .*schema.*1 /);
    expect(screen.cursorVisible).toBe(true);
    await server.stop();
  });
});

it("without the mock server, the error says how to install it", async () => {
  vi.doMock("@copilotkit/aimock", () => {
    throw new Error("Cannot find package '@copilotkit/aimock'");
  });
  const { code, stdout, stderr } = await run(["demo"]);
  vi.doUnmock("@copilotkit/aimock");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  for (const word of [
    "npm install --save-dev @copilotkit/aimock",
    "OPENAI_API_KEY",
    "--base-url",
    "demo --help",
  ])
    expect(stderr).toContain(word);
});
