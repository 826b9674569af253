import { addressOf } from "./links.js";
import { apiSections } from "./sections.js";

/** A group of the sidebar. */
export interface SidebarGroup {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: SidebarLink[];
}

export interface SidebarLink {
  readonly text: string;
  readonly link: string;
}

/**
 * The sidebar. It lists each page once, in reading order for newcomers. `test/house/site.test.ts` compares it with the
 * files.
 */
export function sidebarFor(root: string): SidebarGroup[] {
  const written = sidebarPages.map(([text, pages], index) => ({
    text,
    collapsed: index >= openGroups,
    items: Object.entries(pages).map(([page, title]) => ({ text: title, link: addressOf(page) })),
  }));
  const api = apiSections(root).map(({ name, file }) => ({ text: name, link: `/exports/${file}` }));
  const all = { text: "All modules", link: "/exports/" };
  return [...written, { text: "API", collapsed: true, items: [all, ...api] }];
}

/** The sidebar of the API pages: the group of the API comes first and is open. */
export function apiFirst(sidebar: readonly SidebarGroup[]): SidebarGroup[] {
  const api = sidebar.filter(({ text }) => text === "API");
  const others = sidebar.filter((group) => !api.includes(group));
  return [
    ...api.map((group) => ({ ...group, collapsed: false })),
    ...others.map((group) => ({ ...group, collapsed: true })),
  ];
}

/** The number of groups that are open at first. */
const openGroups = 2;

/** The pages of each group, by their path from docs/. */
export const sidebarPages: readonly (readonly [text: string, pages: Readonly<Record<string, string>>])[] = [
  [
    "Start",
    {
      "learn/start.md": "Quickstart",
      "reference/object.md": "Objects",
      "reference/extract.md": "Many documents",
      "internals/architecture.md": "Architecture",
      "reference/options.md": "Options",
      "reference/guarantees.md": "Guarantees",
      "reference/threats.md": "Threats and limits",
    },
  ],
  [
    "Guides",
    {
      "learn/guides/partial-output.md": "Partial output",
      "learn/guides/diffs-to-ui.md": "Send changes to a page",
      "learn/guides/list-items.md": "Lists",
      "learn/guides/read-xml.md": "XML",
      "learn/guides/agents.md": "Agents",
      "learn/guides/safe-tools.md": "Tools",
      "learn/guides/chat.md": "Chat",
      "learn/guides/resume.md": "Lost connections and killed servers",
      "learn/guides/writing-an-operator.md": "Writing an operator",
      "learn/guides/writing-a-provider.md": "Writing a provider",
      "learn/guides/test-your-code.md": "Testing",
    },
  ],
  [
    "Recipes",
    {
      "learn/recipes/index.md": "All recipes",
      "learn/recipes/next.md": "Next",
      "learn/recipes/vite-hono.md": "Vite and Hono",
      "learn/recipes/express.md": "Express",
      "learn/recipes/sveltekit.md": "SvelteKit",
      "learn/recipes/nuxt.md": "Nuxt",
      "learn/recipes/workers.md": "Workers",
      "learn/recipes/retry.md": "Retry",
      "learn/recipes/cost.md": "Cost",
      "learn/recipes/progress.md": "Progress",
      "learn/recipes/records.md": "A list of records",
      "learn/recipes/form.md": "A form that fills in",
      "learn/recipes/chat-panel.md": "A chat with a side panel",
    },
  ],
  [
    "Reading",
    {
      "reference/operators.md": "Operators",
      "reference/json.md": "The JSON parser",
      "reference/repair.md": "Repair of invalid JSON",
      "reference/coercion.md": "Coercion by the schema",
      "reference/schema.md": "Schemas and the guard",
      "reference/text-and-lists.md": "Text, lists and tags",
      "reference/patch-lines.md": "Patches of a model",
      "protocols/ui.md": "Interfaces of a model",
      "reference/xml.md": "XML",
      "reference/tool-calls.md": "Tool calls",
    },
  ],
  [
    "Models",
    {
      "reference/models.md": "Models",
      "reference/openai.md": "OpenAI",
      "reference/anthropic.md": "Anthropic",
      "reference/gemini.md": "Gemini",
      "reference/ollama.md": "Ollama",
      "reference/azure.md": "Azure OpenAI",
      "reference/local-servers.md": "Local servers",
      "protocols/provider-schemas.md": "Schemas at each provider",
      "reference/messages.md": "Messages",
      "reference/prompts.md": "Prompts",
      "reference/outputs.md": "Outputs",
      "reference/record.md": "Recording and replaying",
    },
  ],
  [
    "Agents",
    {
      "reference/agent.md": "Agents",
      "reference/tools.md": "Tools",
      "reference/mcp.md": "MCP",
      "reference/middleware.md": "Middleware",
      "reference/thread.md": "Threads",
      "reference/durable.md": "Durable runs",
      "reference/telemetry.md": "Telemetry",
    },
  ],
  [
    "Server and page",
    {
      "reference/serve.md": "Serve",
      "reference/client.md": "Client",
      "reference/devtools.md": "Devtools",
      "reference/redis.md": "Redis",
      "reference/platforms.md": "Platforms",
      "protocols/wire-protocol.md": "Wire protocol",
      "protocols/ag-ui.md": "AG-UI",
      "protocols/ai-sdk.md": "AI SDK",
    },
  ],
  ["Command", { "reference/cli.md": "Command line", "reference/playground.md": "Playground" }],
  [
    "Examples",
    {
      "examples/hono-react/README.md": "Hono and React",
      "examples/cli-extractor/README.md": "Extract records from files",
      "examples/openai-sdk/README.md": "OpenAI SDK",
      "examples/agent-union/README.md": "An agent with a union",
      "examples/ag-ui/README.md": "AG-UI",
    },
  ],
  [
    "Migration and comparison",
    {
      "learn/migration/langchain.md": "LangChain",
      "learn/migration/langchain-names.md": "LangChain core names",
      "learn/migration/langchain-features.md": "LangChain feature by feature",
      "learn/migration/ai-sdk.md": "AI SDK",
      "learn/comparison.md": "Comparison",
    },
  ],
  [
    "Performance and tests",
    {
      "internals/performance.md": "Performance",
      "internals/sizes.md": "Sizes",
      "internals/parser-notes.md": "Notes for parser developers",
      "internals/packages.md": "Why these packages",
      "internals/benchmarks/json.md": "Benchmark: JSON",
      "internals/benchmarks/regimes.md": "Benchmark: JSON in programs",
      "internals/benchmarks/accuracy.md": "Benchmark: accuracy",
      "internals/benchmarks/parsers.md": "Benchmark: parsers",
      "internals/benchmarks/models.md": "Benchmark: models",
      "internals/benchmarks/agent.md": "Benchmark: agent",
      "internals/benchmarks/serve.md": "Benchmark: serving",
      "internals/benchmarks/stream.md": "Benchmark: stages",
      "internals/benchmarks/cold.md": "Benchmark: start-up",
      "internals/parser-tests.md": "How the JSON parser is tested",
      "internals/releasing.md": "Releasing",
    },
  ],
];

/** The pages that are written by hand, by their path from docs/. */
export const writtenPages: readonly string[] = [
  "index.md",
  ...sidebarPages.flatMap(([, pages]) => Object.keys(pages)),
];
