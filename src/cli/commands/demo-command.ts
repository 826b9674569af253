import type { ChatModel } from "../../models/contract/chat-model.js";
import { openai } from "../../models/openai/index.js";
import { parseOptions } from "./arguments.js";
import { ask } from "./ask.js";
import type { Command } from "./command.js";
import { startMockServer } from "./demo/mock-server.js";
import { recipePrompt, recipeSchema } from "./demo/recipe.js";
import { connection } from "./connection.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import { helpRow, type HelpSection, sectionLines } from "../terminal/help.js";
import { fillIn, follow, type Writing } from "../output/fill-in.js";
import { columnsOf } from "../terminal/live-view.js";
import { type Io, isLiveTerminal } from "../terminal/io.js";
import { writeLine } from "../terminal/ndjson.js";
import { GrowingValue } from "../../json/patch/growing-value.js";
import { reportRepairs } from "../output/report-repairs.js";
import { count, size } from "../../text/counts.js";
import { type Styles, stylesFor } from "../terminal/styles.js";
import { Tally } from "../terminal/tally.js";

const defaultModel = "gpt-6.1-terra";

export const demoCommand: Command = {
  help: {
    title: "millrace demo: shows a recipe filling in as a model writes it",
    parts: [
      { heading: "Usage", commands: ["millrace demo [--base-url URL] [--model NAME]"] },
      "With OPENAI_API_KEY or --base-url, a real model answers. Otherwise the demo starts a mock model server on this " +
        "machine, which sends the same answer each time over real HTTP and server-sent events.",
      "On a terminal, the recipe fills in in place. A summary then compares the bytes of patches and whole snapshots. " +
        "Otherwise the demo writes each patch as a line, as --append does, and the complete recipe as the last line.",
      {
        heading: "Options",
        rows: [
          ["--base-url URL", "a server with OpenAI's Chat Completions API"],
          ["--model NAME", `the model; default: ${defaultModel}`],
          helpRow,
        ],
      },
      {
        heading: "Environment",
        rows: [
          ["OPENAI_API_KEY", "the API key"],
          ["OPENAI_BASE_URL", "default of --base-url"],
          ["NO_COLOR", "turns colours off"],
        ],
      },
    ],
  },
  run,
};

const options = { "base-url": { type: "string" }, model: { type: "string" } } as const;

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const values = parseOptions(argv, options);
  const { model = defaultModel } = values;
  const { apiKey, baseURL } = connection(`openai:${model}`, io.env, values["base-url"]);
  if (apiKey !== "" || baseURL !== undefined) {
    const title = `millrace demo · ${model}${baseURL === undefined ? "" : ` at ${withoutSecrets(baseURL)}`}`;
    await show(openai({ model, apiKey, baseURL }), title, io);
    return exitCodes.ok;
  }
  const server = await startMockServer();
  try {
    const title = `millrace demo · a mock model server, ${server.baseURL}`;
    await show(openai({ model, apiKey: "", baseURL: server.baseURL }), title, io);
  } finally {
    await server.stop();
  }
  return exitCodes.ok;
}

/** The address without a user, a password and parameters. */
function withoutSecrets(baseURL: string): string {
  const { origin, pathname } = new URL(baseURL);
  return origin + pathname.replace(/\/$/, "");
}

async function show(model: ChatModel, title: string, io: Io): Promise<void> {
  const chunks = ask(model, recipePrompt, recipeSchema, io.signal);
  const document = new GrowingValue();
  const tally = new Tally({ withSizes: true });
  const writing: Writing = { chunks, schema: recipeSchema, document, tally, repairs: [] };
  try {
    if (isLiveTerminal(io.stdout, io.env)) {
      await fillIn(writing, title, io);
      const styles = stylesFor(io.stdout, io.env);
      const next = sectionLines(nextSteps(io.env), columnsOf(io.stdout), styles);
      io.stdout.write(`\n${[...summary(tally, styles), "", ...next].join("\n")}\n`);
    } else {
      for await (const patch of follow(writing)) await writeLine(io.stdout, patch, io.signal);
      await writeLine(io.stdout, document.value, io.signal);
    }
  } finally {
    reportRepairs(writing.repairs, "millrace demo", io);
  }
}

/** In a clone, the demo is `npm start`. */
function nextSteps(env: Io["env"]): HelpSection {
  const playground =
    env["npm_lifecycle_event"] === "start" ? "npm run playground" : "npx millrace playground";
  return {
    heading: "Next",
    rows: [
      [playground, "watch each chunk and patch in a browser"],
      ["OPENAI_API_KEY=…", "with a key, a real model writes this recipe"],
    ],
  };
}

/** The lines below the finished value: the schema check passed, and how many bytes patches and snapshots take. */
function summary(tally: Tally, styles: Styles): string[] {
  const { chunks, patches, patchBytes, appendBytes, snapshotBytes } = tally;
  const times = (bytes: number): string =>
    bytes === 0 ? "" : styles.faint(`1/${count(Math.round(snapshotBytes / bytes))}`);
  const rows: [name: string, figure: string, remark: string][] = [
    ["chunks from the model", count(chunks), ""],
    ["patches", count(patches), ""],
    ["bytes as whole snapshots", size(snapshotBytes), ""],
    ["bytes as patches", size(patchBytes), times(patchBytes)],
    ["bytes as patches with append", size(appendBytes), times(appendBytes)],
  ];
  const widest = Math.max(...rows.map(([, figure]) => figure.length));
  return [
    styles.good("✓ satisfies the schema"),
    "",
    ...rows.map(([name, figure, remark]) =>
      `  ${styles.faint(name.padEnd(30))}${figure.padStart(widest)}  ${remark}`.trimEnd(),
    ),
  ];
}
