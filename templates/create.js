#!/usr/bin/env node
/** `npm create millrace [FOLDER]` copies a template into a folder. It asks only for what it was not given. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";

const templates = {
  "vite-hono": "a React page with Vite, and a Hono server",
  next: "the App Router of Next",
  svelte: "a page and an endpoint of SvelteKit",
  nuxt: "a Vue page and a server route of Nuxt",
  chat: "a chat with tools and approvals: React, Vite and Hono",
};
const [defaultTemplate] = Object.keys(templates);

const usage = `Usage: npm create millrace [FOLDER] [-- OPTIONS]

  FOLDER              a new or empty folder; "." is the current one
  --template NAME     ${defaultTemplate} by default
  --millrace VERSION  the version of millrace, or a path such as file:../millrace.tgz
  --help

Templates:
${Object.entries(templates)
  .map(([name, description]) => `  ${name.padEnd(18)}  ${description}`)
  .join("\n")}`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      template: { type: "string", short: "t" },
      millrace: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return console.log(usage);
  if (positionals.length > 1)
    throw new Error(`Expected one folder, got ${positionals.join(", ")}.\n\n${usage}`);

  const [folder, template] = await complete(positionals[0], values.template);
  if (!Object.hasOwn(templates, template)) {
    throw new Error(`Unknown template "${template}". Use one of ${Object.keys(templates).join(", ")}.`);
  }
  const target = resolve(folder);
  requireEmpty(target, folder);
  copy(template, target, values.millrace);
  console.log(nextSteps(target, template));
}

/** Asks for what is missing, unless at least the folder was given or nobody is there to answer. */
async function complete(folder, template) {
  if (folder !== undefined) return [folder, template ?? defaultTemplate];
  if (!process.stdin.isTTY) throw new Error(`Name the folder.\n\n${usage}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ask = async (question, otherwise) =>
    (await terminal.question(`${question} (${otherwise}): `)).trim() || otherwise;
  try {
    const given = await ask("Folder", "my-app");
    return [
      given,
      template ?? (await ask(`Template: ${Object.keys(templates).join(" or ")}`, defaultTemplate)),
    ];
  } finally {
    terminal.close();
  }
}

function requireEmpty(target, folder) {
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory()) throw new Error(`${folder} is a file. Choose another folder.`);
  const there = readdirSync(target).filter((name) => name !== ".git");
  if (there.length === 0) return;
  const named = there.slice(0, 3).join(", ") + (there.length > 3 ? ", …" : "");
  throw new Error(`The folder ${folder} is not empty (${named}). Choose another one.`);
}

function copy(template, target, version) {
  const home = import.meta.dirname;
  const built = ["node_modules", ".next", ".nuxt", ".output", ".svelte-kit", "build", "data", "dist"]; // left by who has worked on the template
  cpSync(join(home, template), target, {
    recursive: true,
    filter: (path) => !built.includes(basename(path)),
  });
  renameSync(join(target, "_gitignore"), join(target, ".gitignore")); // npm packs no file named .gitignore
  const file = join(target, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const own = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  manifest.dependencies.millrace = version ?? `^${own.version}`;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  nameApp(target, packageName(basename(target)));
}

/** The templates are named "my-app". */
function nameApp(target, name) {
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, "utf8");
    if (text.includes("my-app")) writeFileSync(path, text.replaceAll("my-app", name));
  }
}

/** "My App!" as "my-app". */
function packageName(folder) {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|[._-]+$/g, "");
  return name || "my-app";
}

function nextSteps(target, template) {
  const manager = /^(pnpm|yarn|bun)\//.exec(process.env.npm_config_user_agent ?? "")?.[1] ?? "npm";
  const path = relative(process.cwd(), target);
  const steps = [
    ...(path === "" ? [] : [`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`]),
    `${manager} install`,
    `${manager} run dev`,
  ];
  return `Created ${target} from the template ${template}. Next:

${steps.map((step) => `  ${step}`).join("\n")}

A script replaces the model until you write OPENAI_API_KEY=… into the file .env: see README.md.`;
}
