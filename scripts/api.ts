/**
 * Reports the public names and types of each entry in docs/api/<entry>.api.md, so that a reviewer sees every change to
 * them. What several entries export is declared in the report of the first one. Fails if a committed report differs;
 * `--update` (`npm run api`) writes them. Reads dist: build first.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { packageEntries } from "./entries.js";

interface Declaration {
  readonly name: string;
  readonly text: string;
}

const folder = "docs/api";
const update = process.argv.includes("--update");
const entries = packageEntries(".").map(({ name, file }) => ({
  name,
  file,
  report: `${name.replace("/", "-")}.api.md`,
}));

let wrong = 0;
const whole = extractAll();
const blocks = whole
  .slice(whole.indexOf("```ts\n"), whole.lastIndexOf("```"))
  // Members without a docblock are not checked, and types that no entry exports are declared here too.
  .replaceAll(/^ +\/\/ \(undocumented\)\n|^ *\/\/ Warning: .*\n(?: *\/\/\n)?/gm, "")
  .split(/\n\n(?=\S)/);
const exportsOf = new Map(blocks.flatMap(namespaceOf));
const exported = new Set([...exportsOf.values()].flat());
const declarations = blocks.flatMap(declarationOf);

/** The entry in whose report each name is declared. */
const homes = new Map<string, string>();
mkdirSync(folder, { recursive: true });
for (const { name, file, report } of entries) {
  const text = reportOf(name, exportsOf.get(file) ?? []);
  if (text === committed(report)) continue;
  if (update) writeFileSync(`${folder}/${report}`, text);
  else complain(`${folder}/${report} differs from the build. Write it with: npm run api`);
}
for (const file of readdirSync(folder)) {
  if (entries.some(({ report }) => report === file)) continue;
  if (update) rmSync(`${folder}/${file}`);
  else complain(`${folder}/${file} is the report of no entry`);
}
for (const name of withoutDocs()) complain(`${name} has no docblock`);
if (wrong > 0) process.exitCode = 1;

/** One report of API Extractor, with a namespace for each entry: so it declares each type once. */
function extractAll(): string {
  mkdirSync("temp/api", { recursive: true });
  writeFileSync(
    "temp/api/entries.d.ts",
    entries
      // With an underscore, as anthropic.js exports an `anthropic`.
      .map(({ file }) => `import * as _${file} from "../../dist/${file}.js";\nexport { _${file} };\n`)
      .join(""),
  );
  const config = ExtractorConfig.prepare({
    configObject: {
      ...ExtractorConfig.loadFile(resolve("api-extractor.json")),
      projectFolder: process.cwd(),
    },
    configObjectFullPath: resolve("api-extractor.json"),
    packageJsonFullPath: resolve("package.json"),
  });
  const { errorCount } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      // The compiler of the extractor is older than the declarations of Vue expect.
      if (message.sourceFilePath?.includes("/node_modules/") === true)
        message.logLevel = ExtractorLogLevel.None;
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  wrong += errorCount;
  return readFileSync("temp/api/entries.api.md", "utf8");
}

/**
 * `declare namespace _serve {\n    export {\n        ErrorEvent_2 as ErrorEvent,…` as the name of the entry and the names
 * of its exports in the report.
 */
function namespaceOf(block: string): [string, readonly string[]][] {
  const [, name, list = ""] = /^declare namespace _(\w+) \{\n {4}export \{\n([^}]*)\}/.exec(block) ?? [];
  if (name === undefined) return [];
  return [[name, [...list.matchAll(/^ *([\w$]+)/gm)].map(([, it = ""]) => it)]];
}

function declarationOf(block: string): Declaration[] {
  const [, name] =
    /^(?:\/\/ .*\n)+(?:declare )?(?:abstract )?(?:class|const|function|interface|let|type) ([\w$]+)/.exec(
      block,
    ) ?? [];
  return name === undefined ? [] : [{ name, text: block }];
}

function reportOf(entry: string, names: readonly string[]): string {
  const elsewhere = new Map<string, string[]>();
  for (const name of names) {
    const home = homes.get(name);
    if (home === undefined) homes.set(name, entry);
    else elsewhere.set(home, [...(elsewhere.get(home) ?? []), name]);
  }
  let own = declarations.filter(({ name }) => homes.get(name) === entry);
  for (let used = own; used.length > 0; own = [...own, ...used]) used = helpersIn(used, entry);
  return [
    `# ${entry}\n\nWritten by \`npm run api\` from the declarations of the package.\n`,
    ...Array.from(elsewhere, ([home, their]) => `\nDeclared in \`${home}\`: ${their.join(", ")}.\n`),
    // All are public, so the extractor's mark says nothing.
    `\n\`\`\`ts\n${own.map(({ text }) => text.replace(/^\/\/ @public.*\n/, "").trim()).join("\n\n")}\n\`\`\`\n`,
  ]
    .join("")
    .replaceAll(/\b(\w+?)[_$]\d+\b/g, "$1");
}

/** The types that no entry exports, and that these declarations are the first to name. */
function helpersIn(own: readonly Declaration[], entry: string): Declaration[] {
  const words = new Set(own.flatMap(({ text }) => text.match(/[\w$]+/g) ?? []));
  const helpers = declarations.filter(
    ({ name }) => words.has(name) && !exported.has(name) && !homes.has(name),
  );
  for (const { name } of helpers) homes.set(name, entry);
  return helpers;
}

/** Exported names without a docblock. That of a function's first overload counts for all. Members are not checked. */
function withoutDocs(): string[] {
  const documented = new Set<string>();
  for (const { name, text } of declarations)
    if (!text.startsWith("// @public (undocumented)")) documented.add(name);
  return [...exported].filter((name) => !documented.has(name));
}

function committed(report: string): string | undefined {
  try {
    return readFileSync(`${folder}/${report}`, "utf8");
  } catch {
    return undefined;
  }
}

function complain(problem: string): void {
  wrong++;
  console.log(problem);
}
