import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build as buildWithEsbuild } from "esbuild";
import { collect, createAgent, from, type AgentEvent } from "millrace";
import { toolStrategy } from "millrace/agent";
import { createDevtools, reportOf } from "millrace/client";
import { scriptedModel } from "millrace/testing";
import { build as buildWithVite } from "vite";
import { describe, expect, it, vi } from "vitest";

const root = join(import.meta.dirname, "../../..");
const app = `
  import { createDevtools, reportOf } from "millrace/client";
  const probe = createDevtools({ currency: "€" }).stream("a");
  globalThis.use = [probe, reportOf];
`;

/** The app with the devtools, as esbuild bundles it. */
async function bundled(mode: string): Promise<string> {
  const { outputFiles } = await buildWithEsbuild({
    stdin: { contents: app, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

describe("a bundle", () => {
  it("has at most 7.5 KB of the devtools in development, and nothing but empty functions in production", async () => {
    const development = await bundled("development");
    expect(development).toContain("attachShadow");
    expect(gzipSync(development).length).toBeLessThan(7_500);
    const production = await bundled("production");
    expect(production).not.toContain("attachShadow");
    expect(production.length).toBeLessThan(300);
  });

  it("of Vite has nothing of them in production either", async () => {
    const id = "virtual-app.js";
    const { NODE_ENV } = process.env;
    process.env["NODE_ENV"] = "production";
    try {
      const result = await buildWithVite({
        root,
        configFile: false,
        logLevel: "silent",
        resolve: { alias: { "millrace/client": join(root, "src/client/index.ts") } },
        plugins: [
          {
            name: "app",
            resolveId: (name) => (name === id ? name : null),
            load: (name) => (name === id ? app : null),
          },
        ],
        build: { write: false, rolldownOptions: { input: id } },
      });
      const { output } = (Array.isArray(result) ? result[0] : result) as { output: { code?: string }[] };
      const code = output.map((file) => file.code ?? "").join("");
      expect(code).toContain("use");
      expect(code).not.toContain("attachShadow");
      expect(code.length).toBeLessThan(1_500);
    } finally {
      process.env["NODE_ENV"] = NODE_ENV;
    }
  }, 30_000);
});

/** The events of an agent whose first answer is invalid. */
function events(): AsyncIterable<AgentEvent> {
  let calls = 0;
  const model = scriptedModel(() => {
    calls++;
    return calls === 1
      ? ['{"name": 1}']
      : ['{"name": "A', 'da",}', { content: [], model: "m", usage: { inputTokens: 7, outputTokens: 3 } }];
  });
  const schema = { type: "object", properties: { name: { enum: ["Ada"] } }, required: ["name"] } as const;
  return createAgent({ model, responseFormat: toolStrategy(schema) }).stream("Who?");
}

describe("reportOf()", () => {
  it("ends with the model, chunks, repairs, retries and tokens of the run", async () => {
    const patches = await collect(reportOf(events()));
    expect(patches.at(-1)).toEqual([
      {
        op: "replace",
        path: "",
        value: {
          model: "m",
          chunks: 3,
          repairs: [{ kind: "trailing_comma", offset: 15 }],
          coercions: [],
          retries: 1,
          tokens: { inputTokens: 7, outputTokens: 3 },
        },
      },
    ]);
  });

  it("reads nothing in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    let pulls = 0;
    const counted = { [Symbol.asyncIterator]: () => (pulls++, from<AgentEvent>([])[Symbol.asyncIterator]()) };
    expect(await collect(reportOf(counted))).toEqual([]);
    expect(pulls).toBe(0);
  });
});

describe("without a page", () => {
  it("the probes pass everything on, as on a server", async () => {
    const probe = createDevtools().stream("a");
    expect(createDevtools().stream("a")).not.toBe(probe);
    probe.rendered();
    probe.options.onEvent?.({ type: "open" });
    const passed = await collect(probe.events(events()));
    expect(passed.map(({ type }) => type)).toContain("structured");
  });

  it.each<unknown>([new Error("lost"), Object.create(null)])(
    "an error of the agent stays the same object",
    async (error: unknown) => {
      async function* failing(): AsyncGenerator<AgentEvent> {
        throw error;
      }
      await expect(collect(createDevtools().stream("a").events(failing()))).rejects.toBe(error);
    },
  );
});
