/**
 * Reports the public names and types of each entry in docs/api/<entry>.api.md, so that a reviewer sees every change to
 * them. Fails if a committed report differs; `--update` (`npm run api`) writes it. Reads dist: build first.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel, type IConfigFile } from "@microsoft/api-extractor";

const update = process.argv.includes("--update");
const base = ExtractorConfig.loadFile(resolve("api-extractor.json"));
const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

mkdirSync("docs/api", { recursive: true });
let changed = 0;
let undocumented = 0;
for (const [path, entry] of Object.entries(exports)) {
  if (typeof entry === "string") continue;
  const name = path === "." ? "millrace" : `millrace-${path.slice(2).replaceAll("/", "-")}`;
  const report = `docs/api/${name}.api.md`;
  const configObject: IConfigFile = {
    ...base,
    projectFolder: process.cwd(),
    mainEntryPointFilePath: resolve(entry.types),
    apiReport: { ...base.apiReport, enabled: true, reportFileName: name },
  };
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: resolve("api-extractor.json"),
    packageJsonFullPath: resolve("package.json"),
  });
  const { apiReportChanged, errorCount } = Extractor.invoke(config, {
    localBuild: update,
    messageCallback: (message) => {
      // The compiler of the extractor is older than the declarations of Vue expect.
      if (message.sourceFilePath?.includes("/node_modules/") === true)
        message.logLevel = ExtractorLogLevel.None;
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  if (errorCount > 0) process.exitCode = 1;
  if (apiReportChanged && !update) {
    changed++;
    console.log(
      `${report} differs from the build. Compare it with temp/api/${name}.api.md, then: npm run api`,
    );
  }
  const names = withoutDocs(readFileSync(update ? report : `temp/api/${name}.api.md`, "utf8"));
  undocumented += names.length;
  for (const it of names) console.log(`${report}: ${it} has no docblock`);
}
if (changed + undocumented > 0) process.exitCode = 1;

/**
 * Exported names that the report marks as undocumented. The docblock of a function's first overload counts for all of
 * them. Members are not checked.
 */
function withoutDocs(report: string): string[] {
  const documented = new Set<string>();
  const bare: string[] = [];
  for (const [, mark, declaration = ""] of report.matchAll(
    /^\/\/ @public( \(undocumented\))?\n(?:\/\/.*\n)*export (?:declare )?(.*?)[ ;{(=<]*$/gm,
  )) {
    const name = /^(?:async )?\w+ \w+/.exec(declaration)?.[0] ?? declaration;
    if (mark === undefined) documented.add(name);
    else bare.push(name);
  }
  return bare.filter((name) => !documented.has(name));
}
