/**
 * Who may import whom: the table of the design, as rules. There is no list of exceptions; test/house/layers.test.ts
 * shows for each rule that it can fail.
 */

/** The layers from the bottom up. A folder imports what is below its own layer, and itself. */
const layers = [
  ["text"],
  ["stream", "tree"],
  ["json", "list", "xml"],
  ["lenient"],
  ["find"],
  ["schema"],
  ["messages"],
  ["outputs"],
  ["models", "prompts", "parsers", "tools"],
  ["agent"],
];
/** The entry `millrace/json` also has the values `repair` and `extract`. */
const entryOfJson = "^src/json/index[.]ts$";
/** The files of all public entries. */
const entryFiles = Object.entries(require("./tsconfig.json").compilerOptions.paths)
  .filter(([name]) => /^millrace(?:\/|$)/.test(name))
  .map(([, [source]]) => `^${source.replace("./", "").replaceAll(".", "[.]")}$`);
/** Beside the agent, not above it: the wire and the browser know the lowest layers, and types of these. */
const edges = { serve: ["agent", "messages"], client: ["agent"] };
/** The everyday call is an agent without tools whose events are served, so it is above both. */
const calls = ["object", "ui", "mcp"];
/** Runs that survive: the agent above, and the log of serve below. It is for servers and uses Node's modules. */
const durable = "durable";
/** Conversations: runs of an agent one after the other, kept in a store. Above all that a run needs. */
const thread = "thread";
/** They may import anything, and nobody imports them. */
const tops = ["cli", "testing"];

/**
 * The rooms of each folder from the bottom up. A room imports what is below it. Those on one level do not know each
 * other. Providers have a rule of their own.
 */
const rooms = {
  agent: [["answer"], ["middleware"], ["tools"], ["loop"], ["telemetry"]],
  "agent/middleware": [["cache", "messages", "redact"]],
  cli: [["terminal"], ["output"], ["commands"], ["extract"]],
  "cli/extract": [["inputs", "tasks"]],
  client: [["store"], ["devtools", "object", "thread"]],
  durable: [["batch", "journals"]],
  find: [["extract"], ["choose"]],
  json: [["patch"], ["build"], ["scan"], ["fast"]],
  lenient: [["ahead"], ["strings"], ["between"]],
  mcp: [["server"]],
  messages: [["blocks"], ["merge"], ["input"]],
  models: [["contract"], ["wire"], ["http"], ["adapters", "dialect"]],
  // Of the dialects: the grammar of local servers. Of each provider: what its request and its decoder are made of, and a
  // folder for each of two APIs.
  "models/[^/]+": [["grammar"], ["request", "response"], ["chat", "responses"]],
  parsers: [["json", "list", "tagged", "text-tool-calls", "tool-calls", "xml"], ["patch-lines"]],
  "parsers/text-tool-calls": [["json", "place", "python"], ["xml"]],
  schema: [["keywords"], ["interpreter"], ["guard"], ["adapters"], ["coerce", "example"], ["part"]],
  thread: [["stores"], ["serve"]],
  serve: [["http"], ["log"], ["patches", "redis"], ["run"], ["ag-ui", "ai-sdk"]],
  stream: [
    ["core", "time"],
    ["operators", "sources"],
  ],
  testing: [["laws", "models"]],
  tools: [["run"], ["define"]],
  ui: [["a2ui", "assistant-ui", "json-render"]],
  xml: [["build"], ["scan"], ["repair"]],
};

/** The one place for each package. A package without a home here may not be imported at all. */
const homes = {
  "@copilotkit/aimock": "^src/cli/",
  "@dbos-inc/dbos-sdk": "^src/cli/extract/tasks/",
  "@reactivex/ix-esnext-esm": "^src/stream/ix[.]ts$",
  "@standard-schema/spec": "^src/schema/",
  "eventsource-parser": "^src/models/wire/sse[.]ts$",
  pg: "^src/cli/extract/postgres[.]ts$",
  react: "^src/client/react[.]ts$",
  "solid-js": "^src/client/solid[.]ts$",
  "string-width": "^src/cli/",
  svelte: "^src/client/svelte[.]ts$",
  typebox: "^src/schema/interpreter/formats[.]ts$",
  vue: "^src/client/vue[.]ts$",
  zod: "^src/schema/",
};

/** The rooms of models/ that all providers share. Every other folder of models/ is a provider. */
const sharedByProviders = ["contract", "http", "wire", "dialect", "adapters"];

const anyOf = (names) => `(?:${names.join("|")})`;
const folder = (...names) => `^src/${anyOf(names)}/`;
const npmPackage = (...names) =>
  `(?:^|/)node_modules/${anyOf(names.map((name) => name.replaceAll(".", "[.]")))}/`;
const forbid = (name, comment, from, to) => ({ name, severity: "error", comment, from, to });

const layerRules = layers.flatMap((names, index) =>
  names.map((name) => {
    const allowed = [name, ...layers.slice(0, index).flat()];
    return forbid(
      `layer-${name}`,
      `${name} imports only ${allowed.join(", ")}, and src/errors.ts.`,
      { path: folder(name), pathNot: entryOfJson },
      { path: "^src/", pathNot: [folder(...allowed), "^src/errors[.]ts$"] },
    );
  }),
);

const edgeRules = Object.entries(edges).map(([name, known]) =>
  forbid(
    `layer-${name}`,
    `${name} imports only ${layers.slice(0, 3).flat().join(", ")}, and of ${known.join(" and ")} the types.`,
    { path: folder(name) },
    { path: "^src/", pathNot: [folder(name, ...known, ...layers.slice(0, 3).flat()), "^src/errors[.]ts$"] },
  ),
);

const callRules = calls.map((name) =>
  forbid(
    `layer-${name}`,
    `${name} imports only ${layers.flat().join(", ")} and serve, and nobody but the root imports it.`,
    { path: folder(name) },
    { path: "^src/", pathNot: [folder(name, "serve", ...layers.flat()), "^src/errors[.]ts$"] },
  ),
);

const durableRule = forbid(
  "layer-durable",
  `durable imports only ${layers.flat().join(", ")} and serve, and nobody but the test tools imports it.`,
  { path: folder(durable) },
  { path: "^src/", pathNot: [folder(durable, "serve", ...layers.flat()), "^src/errors[.]ts$"] },
);

const threadRule = forbid(
  "layer-thread",
  `thread imports only ${layers.flat().join(", ")}, serve and durable, and nobody but the test tools imports it.`,
  { path: folder(thread) },
  { path: "^src/", pathNot: [folder(thread, durable, "serve", ...layers.flat()), "^src/errors[.]ts$"] },
);

const roomRules = Object.entries(rooms).flatMap(([parent, levels]) =>
  levels.map((names, index) =>
    forbid(
      "rooms-in-order",
      `In ${parent}, ${names.join(", ")} import only the rooms below: see the table in .dependency-cruiser.cjs.`,
      { path: `^src/${parent}/(${names.join("|")})/` },
      { path: `^src/${parent}/${anyOf(levels.slice(index).flat())}/`, pathNot: `^src/${parent}/$1/` },
    ),
  ),
);

const placeRules = Object.entries(rooms)
  .filter(([parent]) => parent !== "models")
  .map(([parent, levels]) =>
    forbid(
      "every-room-has-a-place",
      `Give the room its place in the table of .dependency-cruiser.cjs first, among those of ${parent}.`,
      { path: `^src/${parent}/[^/]+/`, pathNot: `^src/${parent}/${anyOf(levels.flat())}/` },
      { path: "." },
    ),
  );

const homeRules = Object.entries(homes).map(([name, home]) =>
  forbid(
    `home-of-${name}`,
    `${name} is imported in ${home} only, behind a name of ours.`,
    { path: "^src/", pathNot: home },
    { path: npmPackage(name) },
  ),
);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    ...edgeRules,
    ...callRules,
    durableRule,
    threadRule,
    ...roomRules,
    ...placeRules,
    ...homeRules,
    forbid(
      "edges-know-the-agent-by-its-types",
      "serve and client import nothing of the agent that is there at run time.",
      { path: folder(...Object.keys(edges)) },
      { path: folder("agent"), dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "serve-only-reads-messages",
      "Of messages, serve has types, and what reads a message without a parser.",
      { path: folder("serve") },
      {
        path: folder("messages"),
        pathNot: "^src/messages/(?:blocks/|open-calls[.]ts$)",
        dependencyTypesNot: ["type-only"],
      },
    ),
    forbid(
      "errors-stand-alone",
      "src/errors.ts is below every layer.",
      { path: "^src/errors[.]ts$" },
      { path: ".", pathNot: "^src/errors[.]ts$" },
    ),
    forbid(
      "providers-do-not-meet",
      "A provider imports the contracts of models/, never another provider.",
      { path: "^src/models/([^/]+)/", pathNot: `^src/models/${anyOf(sharedByProviders)}/` },
      {
        path: "^src/models/[^/]+/",
        pathNot: [`^src/models/${anyOf(sharedByProviders)}/`, "^src/models/$1/"],
      },
    ),
    forbid(
      "agent-without-provider",
      "The agent and the calls know models by their contract, no concrete provider.",
      { path: folder("agent", durable, thread, ...calls) },
      { path: "^src/models/[^/]+/", pathNot: `^src/models/${anyOf(sharedByProviders)}/` },
    ),
    forbid(
      "shared-rooms-without-provider",
      "What providers share knows none of them.",
      { path: `^src/models/${anyOf(sharedByProviders)}/` },
      { path: "^src/models/[^/]+/", pathNot: `^src/models/${anyOf(sharedByProviders)}/` },
    ),
    forbid(
      "index-without-tops",
      "What the package's root carries is neither the command nor the test tools.",
      { path: "^src/index[.]ts$" },
      { path: folder(...tops) },
    ),
    forbid(
      "every-folder-has-a-layer",
      "Give the folder its place in the tables at the top of .dependency-cruiser.cjs first.",
      {
        path: "^src/",
        pathNot: [
          folder(...layers.flat(), ...Object.keys(edges), ...calls, durable, thread, ...tops),
          "^src/(?:index|errors)[.]ts$",
        ],
      },
      { path: "." },
    ),
    forbid(
      "no-node-in-the-library",
      "The package runs in browsers: only durable, thread, the command and the test tools import Node's own modules.",
      { path: "^src/", pathNot: folder(durable, thread, ...tops) },
      { dependencyTypes: ["core"] },
    ),
    forbid(
      "no-node-in-the-page",
      "The page of the playground runs in a browser.",
      { path: "^playground/src/page/" },
      { dependencyTypes: ["core"] },
    ),
    forbid(
      "playground-imports-public-entries",
      "The playground is a package of its own, and imports millrace as its users do.",
      { path: "^playground/src/" },
      { path: "^src/", pathNot: entryFiles },
    ),
    forbid(
      "every-package-has-a-home",
      "Give the package its one place in the table at the top of .dependency-cruiser.cjs first.",
      { path: "^src/" },
      {
        path: "(?:^|/)node_modules/",
        pathNot: npmPackage(...Object.keys(homes), "@types/node", "@types/react", "@types/react-dom"),
      },
    ),
    forbid(
      "src-imports-only-src",
      "What is shipped imports nothing of tests, benches, scripts or the build.",
      { path: "^src/" },
      { path: "^(?:playground|test|bench|scripts|dist|temp)/" },
    ),
    forbid(
      "no-cycles",
      "Not even of types: a cycle means that two files are one thing.",
      {},
      { circular: true },
    ),
    forbid("resolvable", "The import leads nowhere.", {}, { couldNotResolve: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
