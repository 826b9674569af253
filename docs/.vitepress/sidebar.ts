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
  const api = apiSections(root).map(({ name, file }) => ({ text: name, link: `/reference/${file}` }));
  const all = { text: "All modules", link: "/reference/" };
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
      "start.md": "Quickstart",
      "object.md": "Objects",
      "extract.md": "Many documents",
      "architecture.md": "Architecture",
      "options.md": "Options",
      "guarantees.md": "Guarantees",
      "threats.md": "Threats and limits",
    },
  ],
  [
    "Guides",
    {
      "guides/partial-output.md": "Partial output",
      "guides/diffs-to-ui.md": "Send changes to a page",
      "guides/lists.md": "Lists",
      "guides/xml.md": "XML",
      "guides/agents.md": "Agents",
      "guides/tools.md": "Tools",
      "guides/resume.md": "Lost connections and killed servers",
      "guides/writing-an-operator.md": "Writing an operator",
      "guides/writing-a-provider.md": "Writing a provider",
      "guides/testing.md": "Testing",
    },
  ],
  [
    "Recipes",
    {
      "recipes/index.md": "All recipes",
      "recipes/next.md": "Next",
      "recipes/vite-hono.md": "Vite and Hono",
      "recipes/express.md": "Express",
      "recipes/sveltekit.md": "SvelteKit",
      "recipes/nuxt.md": "Nuxt",
      "recipes/workers.md": "Workers",
      "recipes/retry.md": "Retry",
      "recipes/cost.md": "Cost",
      "recipes/progress.md": "Progress",
      "recipes/records.md": "A list of records",
      "recipes/form.md": "A form that fills in",
      "recipes/chat-panel.md": "A chat with a side panel",
    },
  ],
  [
    "Reading",
    {
      "operators.md": "Operators",
      "json.md": "The JSON parser",
      "repair.md": "Repair of invalid JSON",
      "coercion.md": "Coercion by the schema",
      "schema.md": "Schemas and the guard",
      "lists.md": "Text, lists and tags",
      "patch-lines.md": "Patches of a model",
      "ui.md": "Interfaces of a model",
      "xml.md": "XML",
      "tool-calls.md": "Tool calls",
    },
  ],
  [
    "Models",
    {
      "models.md": "Models",
      "openai.md": "OpenAI",
      "anthropic.md": "Anthropic",
      "gemini.md": "Gemini",
      "ollama.md": "Ollama",
      "provider-schemas.md": "Schemas at each provider",
      "messages.md": "Messages",
      "prompts.md": "Prompts",
      "outputs.md": "Outputs",
      "record.md": "Recording and replaying",
    },
  ],
  [
    "Agents",
    {
      "agent.md": "Agents",
      "tools.md": "Tools",
      "middleware.md": "Middleware",
      "durable.md": "Durable runs",
      "telemetry.md": "Telemetry",
    },
  ],
  [
    "Server and page",
    {
      "serve.md": "Serve",
      "client.md": "Client",
      "devtools.md": "Devtools",
      "redis.md": "Redis",
      "platforms.md": "Platforms",
      "wire-protocol.md": "Wire protocol",
      "ag-ui.md": "AG-UI",
      "ai-sdk.md": "AI SDK",
    },
  ],
  ["Command", { "cli.md": "Command line", "playground.md": "Playground" }],
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
      "migration/langchain.md": "LangChain",
      "migration/langchain-names.md": "LangChain core names",
      "migration/langchain-features.md": "LangChain feature by feature",
      "migration/ai-sdk.md": "AI SDK",
      "comparison.md": "Comparison",
    },
  ],
  [
    "Performance and tests",
    {
      "performance.md": "Performance",
      "parser-notes.md": "Notes for parser developers",
      "packages.md": "Why these packages",
      "benchmarks/json.md": "Benchmark: JSON",
      "benchmarks/regimes.md": "Benchmark: JSON in programs",
      "benchmarks/accuracy.md": "Benchmark: accuracy",
      "benchmarks/parsers.md": "Benchmark: parsers",
      "benchmarks/models.md": "Benchmark: models",
      "benchmarks/agent.md": "Benchmark: agent",
      "benchmarks/serve.md": "Benchmark: serving",
      "benchmarks/stream.md": "Benchmark: stages",
      "benchmarks/cold.md": "Benchmark: start-up",
      "testing.md": "How the JSON parser is tested",
      "releasing.md": "Releasing",
    },
  ],
];
