import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult, type IConfiguration } from "dependency-cruiser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The rules of .dependency-cruiser.cjs, on a generated tree: forbidden imports are found, and allowed ones are not. */

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, "../..");
const config = require("../../.dependency-cruiser.cjs") as Required<IConfiguration>;

interface Case {
  readonly file: string;
  readonly imports: string;
  /** Type imports keep the file erasable, as they would be in the real source. */
  readonly type?: true;
  /** The broken rule. Absent if the import is allowed. */
  readonly breaks?: string;
}

const cases: readonly Case[] = [
  { file: "text/a.ts", imports: "../stream/target.js", breaks: "layer-text" },
  { file: "stream/h.ts", imports: "../text/target.js" },
  { file: "client/h.ts", imports: "../text/target.js" },
  { file: "stream/a.ts", imports: "../json/target.js", breaks: "layer-stream" },
  { file: "stream/b.ts", imports: "../json/target.js", type: true, breaks: "layer-stream" },
  { file: "stream/c.ts", imports: "../errors.js" },
  { file: "tree/a.ts", imports: "../json/target.js", breaks: "layer-tree" },
  { file: "json/a.ts", imports: "../xml/target.js", breaks: "layer-json" },
  { file: "json/b.ts", imports: "../stream/target.js" },
  { file: "list/a.ts", imports: "../json/target.js", breaks: "layer-list" },
  { file: "xml/a.ts", imports: "../schema/target.js", breaks: "layer-xml" },
  { file: "lenient/a.ts", imports: "../schema/target.js", breaks: "layer-lenient" },
  { file: "lenient/b.ts", imports: "../json/target.js" },
  { file: "lenient/c.ts", imports: "../find/target.js", breaks: "layer-lenient" },
  { file: "json/f.ts", imports: "../find/target.js", breaks: "layer-json" },
  { file: "find/a.ts", imports: "../schema/target.js", breaks: "layer-find" },
  { file: "find/b.ts", imports: "../lenient/target.js" },
  { file: "schema/a.ts", imports: "../messages/target.js", breaks: "layer-schema" },
  { file: "schema/b.ts", imports: "../json/target.js" },
  { file: "messages/a.ts", imports: "../outputs/target.js", breaks: "layer-messages" },
  { file: "outputs/a.ts", imports: "../models/contract/target.js", breaks: "layer-outputs" },
  { file: "outputs/b.ts", imports: "../messages/target.js" },
  { file: "models/a.ts", imports: "../prompts/target.js", breaks: "layer-models" },
  { file: "models/b.ts", imports: "../messages/target.js" },
  { file: "prompts/a.ts", imports: "../parsers/target.js", breaks: "layer-prompts" },
  { file: "parsers/a.ts", imports: "../tools/target.js", breaks: "layer-parsers" },
  { file: "parsers/b.ts", imports: "../json/target.js" },
  { file: "tools/a.ts", imports: "../models/contract/target.js", breaks: "layer-tools" },
  { file: "object/a.ts", imports: "../client/target.js", breaks: "layer-object" },
  { file: "object/b.ts", imports: "../serve/target.js" },
  { file: "ui/a.ts", imports: "../client/target.js", breaks: "layer-ui" },
  { file: "mcp/a.ts", imports: "../client/target.js", breaks: "layer-mcp" },
  { file: "mcp/b.ts", imports: "../agent/target.js" },
  { file: "ui/b.ts", imports: "../parsers/target.js" },
  { file: "object/c.ts", imports: "../agent/target.js" },
  { file: "serve/calls.ts", imports: "../object/target.js", breaks: "layer-serve" },
  { file: "object/d.ts", imports: "../models/openai/target.js", breaks: "agent-without-provider" },
  { file: "agent/a.ts", imports: "../serve/target.js", breaks: "layer-agent" },
  { file: "agent/b.ts", imports: "../models/contract/target.js" },
  { file: "agent/c.ts", imports: "../models/openai/target.js", breaks: "agent-without-provider" },
  { file: "serve/a.ts", imports: "../client/target.js", breaks: "layer-serve" },
  { file: "serve/b.ts", imports: "../agent/target.js", breaks: "edges-know-the-agent-by-its-types" },
  { file: "serve/c.ts", imports: "../agent/target.js", type: true },
  { file: "serve/reads-a.ts", imports: "../messages/target.js", breaks: "serve-only-reads-messages" },
  { file: "serve/reads-b.ts", imports: "../messages/target.js", type: true },
  { file: "serve/reads-c.ts", imports: "../messages/blocks/target.js" },
  { file: "client/a.ts", imports: "../messages/target.js", breaks: "layer-client" },
  { file: "client/b.ts", imports: "../json/target.js" },
  { file: "client/c.ts", imports: "node:fs", breaks: "no-node-in-the-library" },
  { file: "client/d.ts", imports: "fs", breaks: "no-node-in-the-library" },
  { file: "cli/a.ts", imports: "node:fs" },
  { file: "durable/a.ts", imports: "node:fs" },
  { file: "durable/b.ts", imports: "../agent/target.js" },
  { file: "durable/c.ts", imports: "../serve/target.js" },
  { file: "durable/d.ts", imports: "../object/target.js", breaks: "layer-durable" },
  { file: "durable/e.ts", imports: "../models/openai/target.js", breaks: "agent-without-provider" },
  { file: "thread/a.ts", imports: "node:fs" },
  { file: "thread/b.ts", imports: "../durable/target.js" },
  { file: "thread/c.ts", imports: "../object/target.js", breaks: "layer-thread" },
  { file: "thread/d.ts", imports: "../models/openai/target.js", breaks: "agent-without-provider" },
  { file: "durable/g.ts", imports: "../thread/target.js", breaks: "layer-durable" },
  { file: "cli/b.ts", imports: "../index.js" },
  { file: "agent/d.ts", imports: "../testing/target.js", breaks: "layer-agent" },
  { file: "agent/e.ts", imports: "../index.js", breaks: "layer-agent" },
  { file: "index.ts", imports: "./testing/target.js", breaks: "index-without-tops" },
  { file: "util/a.ts", imports: "../stream/target.js", breaks: "every-folder-has-a-layer" },
  { file: "models/http/a.ts", imports: "../openai/target.js", breaks: "shared-rooms-without-provider" },
  { file: "models/http/b.ts", imports: "../contract/target.js" },
  { file: "models/openai/a.ts", imports: "../contract/target.js" },
  { file: "models/openai/b.ts", imports: "../anthropic/target.js", breaks: "providers-do-not-meet" },
  { file: "models/openai/c.ts", imports: "./target.js" },
  { file: "models/openai/request/a.ts", imports: "../response/target.js", breaks: "rooms-in-order" },
  { file: "models/openai/chat/a.ts", imports: "../request/target.js" },
  { file: "models/openai/wire/a.ts", imports: "../target.js", breaks: "every-room-has-a-place" },
  { file: "agent/loop/a.ts", imports: "../answer/target.js" },
  { file: "agent/answer/a.ts", imports: "../loop/target.js", breaks: "rooms-in-order" },
  { file: "agent/answer/b.ts", imports: "../loop/target.js", type: true, breaks: "rooms-in-order" },
  { file: "ui/a2ui/a.ts", imports: "../json-render/target.js", breaks: "rooms-in-order" },
  { file: "agent/extra/a.ts", imports: "../target.js", breaks: "every-room-has-a-place" },
  { file: "stream/d.ts", imports: "no-such-package", breaks: "resolvable" },
  { file: "stream/e.ts", imports: "vitest", breaks: "every-package-has-a-home" },
  { file: "stream/f.ts", imports: "../../test/target.js", breaks: "src-imports-only-src" },
  { file: "stream/g.ts", imports: "./imports-g.js", type: true, breaks: "no-cycles" },
  { file: "stream/i.ts", imports: "@reactivex/ix-esnext-esm", breaks: "home-of-@reactivex/ix-esnext-esm" },
  { file: "stream/j.ts", imports: "zod", type: true, breaks: "home-of-zod" },
  { file: "stream/ix.ts", imports: "@reactivex/ix-esnext-esm" },
  { file: "schema/c.ts", imports: "zod" },
  { file: "models/wire/sse.ts", imports: "eventsource-parser" },
  { file: "models/c.ts", imports: "eventsource-parser", breaks: "home-of-eventsource-parser" },
  { file: "cli/extract/postgres.ts", imports: "pg" },
  { file: "cli/not-pg.ts", imports: "pg", breaks: "home-of-pg" },
  { file: "json/partial.ts", imports: "partial-json", breaks: "every-package-has-a-home" },
  { file: "client/react.ts", imports: "react" },
  { file: "client/f.ts", imports: "react", breaks: "home-of-react" },
  { file: "client/vue.ts", imports: "vue" },
  { file: "client/not-vue.ts", imports: "vue", breaks: "home-of-vue" },
  { file: "client/svelte.ts", imports: "svelte/reactivity" },
  { file: "client/not-svelte.ts", imports: "svelte/reactivity", breaks: "home-of-svelte" },
  { file: "client/solid.ts", imports: "solid-js" },
  { file: "client/not-solid.ts", imports: "solid-js", breaks: "home-of-solid-js" },
  { file: "../playground/src/page/a.ts", imports: "node:fs", breaks: "no-node-in-the-page" },
  { file: "../playground/src/a.ts", imports: "../../src/json/index.js" },
  {
    file: "../playground/src/b.ts",
    imports: "../../src/json/target.js",
    breaks: "playground-imports-public-entries",
  },
  { file: "cli/d.ts", imports: "../../playground/src/target.js", breaks: "src-imports-only-src" },
  { file: "client/g.ts", imports: "react-dom/client", breaks: "every-package-has-a-home" },
  { file: "serve/d.ts", imports: "fast-json-patch", breaks: "every-package-has-a-home" },
  { file: "serve/f.ts", imports: "rxjs", breaks: "every-package-has-a-home" },
  { file: "cli/c.ts", imports: "string-width" },
  { file: "serve/e.ts", imports: "string-width", breaks: "home-of-string-width" },
  { file: "testing/a.ts", imports: "@copilotkit/aimock", breaks: "home-of-@copilotkit/aimock" },
  { file: "durable/f.ts", imports: "@dbos-inc/dbos-sdk", breaks: "home-of-@dbos-inc/dbos-sdk" },
  { file: "models/d.ts", imports: "typebox/format", breaks: "home-of-typebox" },
  {
    file: "parsers/d.ts",
    imports: "@standard-schema/spec",
    type: true,
    breaks: "home-of-@standard-schema/spec",
  },
  { file: "json/e.ts", imports: "string-width", breaks: "home-of-string-width" },
  { file: "errors.ts", imports: "./stream/target.js", breaks: "errors-stand-alone" },
];

const folders =
  "text stream tree json list xml lenient find schema messages outputs prompts parsers tools agent serve client object durable thread testing";
const targets = [
  ...folders.split(" ").map((folder) => `src/${folder}/target.ts`),
  "src/messages/blocks/target.ts",
  "src/models/contract/target.ts",
  "src/models/openai/target.ts",
  "src/models/openai/request/target.ts",
  "src/models/openai/response/target.ts",
  "src/models/anthropic/target.ts",
  "src/agent/loop/target.ts",
  "src/agent/answer/target.ts",
  "src/ui/json-render/target.ts",
  "src/json/index.ts",
  "playground/src/target.ts",
  "test/target.ts",
];

describe("the layers", () => {
  let tree: string;
  let found: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    mkdirSync(join(root, "temp"), { recursive: true });
    tree = mkdtempSync(join(root, "temp/layers-"));
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    };
    for (const file of targets) write(file, "export const x = 1;\n");
    write("src/stream/imports-g.ts", 'export type { It } from "./g.js";\n');
    for (const { file, imports, type } of cases) {
      const what = type === true ? "import type * as it" : "import * as it";
      write(`src/${file}`, `${what} from ${JSON.stringify(imports)};\nexport type It = typeof it;\n`);
    }
    const { tsConfig: _, ...options } = config.options;
    const { output } = await cruise(["src", "playground/src"], {
      ...options,
      baseDir: tree,
      validate: true,
      ruleSet: { forbidden: config.forbidden },
    });
    found = rulesByFile(output as ICruiseResult);
  });
  afterAll(() => {
    rmSync(tree, { recursive: true, force: true });
  });

  for (const { file, imports, type, breaks } of cases) {
    const verb = type === true ? "imports types of" : "imports";
    test(`${file} ${verb} ${imports}: ${breaks ?? "allowed"}`, () => {
      expect(found.get(join("src", file)) ?? []).toEqual(breaks === undefined ? [] : [breaks]);
    });
  }

  // G-package-4
  test("every rule has an example that breaks it", () => {
    const shown = new Set(cases.map(({ breaks }) => breaks));
    expect(config.forbidden.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
});

function rulesByFile({ summary }: ICruiseResult): ReadonlyMap<string, readonly string[]> {
  const rules = new Map<string, string[]>();
  for (const { from, rule } of summary.violations) {
    const names = rules.get(from);
    if (names === undefined) rules.set(from, [rule.name]);
    else names.push(rule.name);
  }
  return rules;
}
