/** A page that no script generates. */
export interface Page {
  /** Its path from docs/. */
  readonly path: string;
  /** Its name in the sidebar. */
  readonly title: string;
  /** A sentence about its content, for search engines, cards of links, and language models. */
  readonly about: string;
}

/** The pages in the order of the sidebar, without the front page. */
export const pageGroups: readonly { readonly text: string; readonly pages: readonly Page[] }[] = [
  {
    text: "Start",
    pages: [
      page(
        "learn/start.md",
        "Quickstart",
        "Build a page that shows a typed object while a model writes it, in five minutes and without a key.",
      ),
      page("zh/learn/start.md", "快速开始", "The Quickstart in Chinese: the same steps, with the same code."),
      page(
        "reference/object.md",
        "Objects",
        "Typed objects with streamObject() and generateObject(): partial objects, patches, finished items, retries.",
      ),
      page(
        "reference/extract.md",
        "Many documents",
        "Extract an object from each of many files or rows: rate limits, resuming, several workers, a database.",
      ),
      page(
        "internals/architecture.md",
        "Architecture",
        "How the package is built: its folders, the seams between them, and why each is as it is.",
      ),
      page(
        "reference/options.md",
        "Options",
        "Every option of every function, with its type, meaning and default.",
      ),
      page(
        "reference/guarantees.md",
        "Guarantees",
        "What the package promises, each promise with the tests that check it.",
      ),
      page(
        "reference/threats.md",
        "Threats and limits",
        "Who can send what, what bounds it, and every limit with its default.",
      ),
    ],
  },
  {
    text: "Guides",
    pages: [
      page(
        "learn/guides/partial-output.md",
        "Partial output",
        "Show an object that is typed from a schema while a model writes it, and handle what fails.",
      ),
      page(
        "learn/guides/diffs-to-ui.md",
        "Send changes to a page",
        "Send JSON Patch operations from a server to a page, and render only what has changed.",
      ),
      page(
        "learn/guides/list-items.md",
        "Lists",
        "Start work on each item of a list as soon as it is complete, before the list ends.",
      ),
      page("learn/guides/read-xml.md", "XML", "Read several texts of one answer from XML while they grow."),
      page(
        "learn/guides/agents.md",
        "Agents",
        "Give a model tools, stream its typed answer, and limit, approve and test its runs.",
      ),
      page(
        "learn/guides/safe-tools.md",
        "Tools",
        "Make a function a tool that a model may call: arguments, errors, approval, progress.",
      ),
      page(
        "learn/guides/chat.md",
        "Chat",
        "A chat with tools, approval, a store, Stop and Retry, on a server and a page.",
      ),
      page(
        "learn/guides/resume.md",
        "Lost connections and killed servers",
        "Continue an answer after a lost connection, a reload of the page, or the end of a process.",
      ),
      page(
        "learn/guides/writing-an-operator.md",
        "Writing an operator",
        "Write a stage of a pipeline, and test that it keeps the rules of all stages.",
      ),
      page(
        "learn/guides/writing-a-provider.md",
        "Writing a provider",
        "Wrap the API of a model, so that parsers, agents and the command can use it.",
      ),
      page(
        "learn/guides/test-your-code.md",
        "Testing",
        "Test code that calls models: in milliseconds, without a key, with scripts and recordings.",
      ),
    ],
  },
  {
    text: "Recipes",
    pages: [
      page(
        "learn/recipes/index.md",
        "All recipes",
        "Complete small apps for each framework, and solutions for single tasks.",
      ),
      page(
        "learn/recipes/next.md",
        "Next",
        "A page of the Next App Router that shows an object while a model writes it, with Stop and resume.",
      ),
      page(
        "learn/recipes/vite-hono.md",
        "Vite and Hono",
        "A React page with Vite, and a server with Hono on Node.",
      ),
      page("learn/recipes/express.md", "Express", "An Express 5 server with a React page."),
      page("learn/recipes/sveltekit.md", "SvelteKit", "A page of SvelteKit with Svelte 5, and its endpoint."),
      page("learn/recipes/nuxt.md", "Nuxt", "A page of Nuxt 4 with Vue, and a route of its server."),
      page(
        "learn/recipes/workers.md",
        "Workers",
        "A Cloudflare Worker that keeps the log of each run in a Durable Object.",
      ),
      page(
        "learn/recipes/retry.md",
        "Retry",
        "Retry wrong answers, busy providers, lost connections and failed tools, each in its own place.",
      ),
      page("learn/recipes/cost.md", "Cost", "Count the tokens and the price of a call, and make it cheaper."),
      page(
        "learn/recipes/progress.md",
        "Progress",
        "Show how far an answer is: by fields, items or characters.",
      ),
      page(
        "learn/recipes/items.md",
        "A list of records",
        "Save, check or show each of many items as soon as it is complete.",
      ),
      page(
        "learn/recipes/form.md",
        "A form that fills in",
        "Fill the fields of a form from a pasted text, while the model reads it.",
      ),
      page(
        "learn/recipes/chat-panel.md",
        "A chat with a side panel",
        "A conversation on the left, and on the right the document that it is about.",
      ),
    ],
  },
  {
    text: "Reading",
    pages: [
      page(
        "reference/operators.md",
        "Operators",
        "Compose streams with pipe(), map(), throttle() and others, and write operators that behave.",
      ),
      page(
        "reference/json.md",
        "The JSON parser",
        "JsonParser reads JSON while it arrives: partial values, patches, positions, limits.",
      ),
      page(
        "reference/repair.md",
        "Repair of invalid JSON",
        "Which mistakes of models are repaired, how, and how each repair is reported.",
      ),
      page(
        "reference/coercion.md",
        "Coercion by the schema",
        "Read valid JSON of the wrong type as the schema expects it: numbers, dates, lists in strings.",
      ),
      page(
        "reference/schema.md",
        "Schemas and the guard",
        "Zod, Valibot, ArkType and JSON Schema: validation at the end, and checks while the answer grows.",
      ),
      page(
        "reference/text-and-lists.md",
        "Text, lists and tags",
        "Parsers for plain text, numbered lists, comma-separated items and tagged sections.",
      ),
      page(
        "reference/patch-lines.md",
        "Patches of a model",
        "Read JSON Patch operations that a model writes, one a line.",
      ),
      page(
        "protocols/ui.md",
        "Interfaces of a model",
        "User interfaces that a model writes, with json-render, A2UI and assistant-ui.",
      ),
      page(
        "reference/xml.md",
        "XML",
        "Read XML with xmlParser() while a model writes it, and repair its mistakes.",
      ),
      page(
        "reference/tool-calls.md",
        "Tool calls",
        "Read the tool calls of a model while it writes them, also those in its text.",
      ),
    ],
  },
  {
    text: "Models",
    pages: [
      page(
        "reference/models.md",
        "Models",
        "Call any model: options, errors, retries, timeouts, and models of the AI SDK and LangChain.",
      ),
      page(
        "reference/openai.md",
        "OpenAI",
        "Chat Completions and Responses of OpenAI, and compatible servers.",
      ),
      page(
        "reference/anthropic.md",
        "Anthropic",
        "Claude models with Anthropic's Messages API: thinking, caching, structured outputs.",
      ),
      page(
        "reference/gemini.md",
        "Gemini",
        "Gemini models with the Gemini API or Vertex AI: thinking, search, structured outputs.",
      ),
      page("reference/ollama.md", "Ollama", "Local models with the native API of Ollama."),
      page(
        "reference/azure.md",
        "Azure OpenAI",
        "OpenAI's models at Azure: addresses, deployments, and tokens of Entra.",
      ),
      page(
        "reference/local-servers.md",
        "Local servers",
        "What llama.cpp, LM Studio, vLLM and others need for structured output.",
      ),
      page(
        "protocols/provider-schemas.md",
        "Schemas at each provider",
        "Which keywords of JSON Schema each provider enforces, and how they are rewritten.",
      ),
      page(
        "reference/messages.md",
        "Messages",
        "Messages and their chunks: content blocks, tool calls, usage, and other libraries' shapes.",
      ),
      page("reference/prompts.md", "Prompts", "Templates that create texts and messages from variables."),
      page(
        "reference/outputs.md",
        "Outputs",
        "Answers of models as plain data: several candidates, batches, serialization.",
      ),
      page(
        "reference/record.md",
        "Recording and replaying",
        "Record the stream of a model, and replay it in tests and demos at any speed.",
      ),
    ],
  },
  {
    text: "Agents",
    pages: [
      page(
        "reference/agent.md",
        "Agents",
        "Agents with createAgent(): tools, structured responses, events, limits, approval and state.",
      ),
      page(
        "reference/tools.md",
        "Tools",
        "Define tools: schemas, results, errors, progress, and tools that run elsewhere.",
      ),
      page(
        "reference/mcp.md",
        "MCP",
        "Use the tools of MCP servers, and serve tools and agents to MCP clients.",
      ),
      page(
        "reference/middleware.md",
        "Middleware",
        "Hooks around an agent's run: limits, retries, fallback, approval, redaction, caching.",
      ),
      page(
        "reference/thread.md",
        "Threads",
        "Conversations with an agent, kept in a store and served to pages.",
      ),
      page(
        "reference/durable.md",
        "Durable runs",
        "Runs that survive a crash: journals in files, DBOS and Restate.",
      ),
      page("reference/telemetry.md", "Telemetry", "OpenTelemetry spans and metrics of each run of an agent."),
    ],
  },
  {
    text: "Server and page",
    pages: [
      page("reference/serve.md", "Serve", "Stream patches to a page over HTTP: runs, logs, limits, errors."),
      page(
        "reference/client.md",
        "Client",
        "Show objects with useObject() in React, Vue, Svelte and Solid, and with the stores below it.",
      ),
      page(
        "reference/devtools.md",
        "Devtools",
        "A panel in the page in development: patches, repairs, tokens and cost.",
      ),
      page("reference/redis.md", "Redis", "A log of runs for several servers, in Redis."),
      page(
        "reference/platforms.md",
        "Platforms",
        "Node, Bun, Deno, Workers and the frameworks that serve web responses.",
      ),
      page(
        "protocols/wire-protocol.md",
        "Wire protocol",
        "The specification of what goes from a server to a page, for other clients.",
      ),
      page(
        "protocols/compact-wire.md",
        "Compact wire",
        "Its smaller form: a line for each patch, about as long as what the model wrote.",
      ),
      page("protocols/ag-ui.md", "AG-UI", "Serve an agent to CopilotKit and all other clients of AG-UI."),
      page("protocols/ai-sdk.md", "AI SDK", "Serve useChat and useObject of the AI SDK from millrace."),
    ],
  },
  {
    text: "Command",
    pages: [
      page(
        "reference/cli.md",
        "Command line",
        "The command millrace: read JSON as it arrives, ask a model, extract from many documents.",
      ),
      page(
        "reference/playground.md",
        "Playground",
        "A page that shows how a document fills in, with patches, repairs and cost.",
      ),
    ],
  },
  {
    text: "Examples",
    pages: [
      page(
        "examples/hono-react/README.md",
        "Hono and React",
        "A recipe that fills in on a React page, served by Hono.",
      ),
      page(
        "examples/cli-extractor/README.md",
        "Extract records from files",
        "A command that extracts the orders from each letter in a folder.",
      ),
      page(
        "examples/openai-sdk/README.md",
        "OpenAI SDK",
        "The stream of the openai package as typed partial values.",
      ),
      page(
        "examples/agent-union/README.md",
        "An agent with a union",
        "An agent that plans a trip or asks a question, with a union as its response.",
      ),
      page("examples/ag-ui/README.md", "AG-UI", "An agent that keeps a shopping list, for CopilotKit pages."),
    ],
  },
  {
    text: "Migration and comparison",
    pages: [
      page(
        "learn/migration/langchain.md",
        "LangChain",
        "Common tasks in LangChain.js and in millrace, with createAgent and its middleware.",
      ),
      page(
        "learn/migration/langchain-names.md",
        "LangChain core names",
        "Every export of @langchain/core, and what replaces it in millrace.",
      ),
      page(
        "learn/migration/langchain-features.md",
        "LangChain feature by feature",
        "What LangChain does with structured output, what does the same here, and the test that proves it.",
      ),
      page(
        "learn/migration/ai-sdk.md",
        "AI SDK",
        "A route of the AI SDK 7 before and after, six tasks, and every export with its replacement.",
      ),
      page(
        "learn/comparison.md",
        "Comparison",
        "Other libraries for structured output, row by row beside millrace. Every row is a test.",
      ),
    ],
  },
  {
    text: "Performance and tests",
    pages: [
      page(
        "internals/performance.md",
        "Performance",
        "How fast the package is, and what to choose when speed matters.",
      ),
      page(
        "internals/sizes.md",
        "Sizes",
        "How many bytes each entry adds to a page, and what an import loads.",
      ),
      page(
        "internals/parser-notes.md",
        "Notes for parser developers",
        "How the parsers became fast, what was tried, and how to measure a change.",
      ),
      page(
        "internals/packages.md",
        "Why these packages",
        "What each third-party package does, and where our own code does the work instead.",
      ),
      page(
        "internals/benchmarks/json.md",
        "Benchmark: JSON",
        "Measured times of every JSON reader, document and chunk size.",
      ),
      page(
        "internals/benchmarks/regimes.md",
        "Benchmark: JSON in programs",
        "Measured times of JSON readers in programs: many streams, cold code, garbage collection.",
      ),
      page(
        "internals/benchmarks/accuracy.md",
        "Benchmark: accuracy",
        "How many broken texts of models each library reads correctly.",
      ),
      page(
        "internals/benchmarks/parsers.md",
        "Benchmark: parsers",
        "Measured times of elements of arrays, lists, tool calls and XML.",
      ),
      page(
        "internals/benchmarks/models.md",
        "Benchmark: models",
        "Measured times from the bytes of a provider to messages.",
      ),
      page(
        "internals/benchmarks/agent.md",
        "Benchmark: agent",
        "Measured overhead of an agent per token, and per answer.",
      ),
      page(
        "internals/benchmarks/serve.md",
        "Benchmark: serving",
        "Measured times of 1,000 streams at once, and their bytes on the wire.",
      ),
      page(
        "internals/benchmarks/stream.md",
        "Benchmark: stages",
        "Measured cost of a stage of a pipeline, for each way of writing one.",
      ),
      page(
        "internals/benchmarks/cold.md",
        "Benchmark: start-up",
        "Measured time of the first import and the first answer in a fresh process.",
      ),
      page(
        "internals/parser-tests.md",
        "How the JSON parser is tested",
        "Properties, suites and fuzzing of the JSON parser, and how to run them.",
      ),
      page("internals/releasing.md", "Releasing", "How a release is made, and what has to be set up once."),
    ],
  },
];

function page(path: string, title: string, about: string): Page {
  return { path, title, about };
}

/** All of them in one list. */
export const writtenPages: readonly Page[] = pageGroups.flatMap(({ pages }) => pages);
