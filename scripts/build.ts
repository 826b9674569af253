/**
 * `npm run build`: dist, from the sources, in about five seconds.
 *
 * Each entry is one file. Code that several entries use is in shared files, one per room of src, so a class is the same
 * class whichever entry it is imported from. Declarations are rolled up in the same way. Code keeps its lines and names,
 * without comments but the marks of what bundlers may drop, and a source map leads from each line to its source. The
 * command is minified.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import { rolldown, type InputOptions, type OutputOptions, type Plugin, type SourceMap } from "rolldown";
import { minifySync, type MinifyOptions } from "rolldown/utils";
import { dts } from "rolldown-plugin-dts";
import { droppable } from "./droppable.js";
import { packageEntries } from "./entries.js";
import { licencesOf } from "./licences.js";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

/** Files of shared code, each with the folders of src that go into it. The first match wins. */
const rooms = {
  // What every entry needs, and what the command shares with a page, which would otherwise load the command's files.
  // Node takes half a millisecond for each file, so it is one.
  base: /src\/(?:tree|json\/patch(?!\/(?:growing|check|measure)-)|stream\/time)\/|src\/errors\.|src\/text\/(?!bytes\/base64|check-options|redactor|similar|url-|words-)|src\/stream\/(?:added|core\/(?:ready|result|forwarding))/,
  // What every parser needs. In a bundle, a file also has what dynamic imports need of it.
  parser:
    /src\/(?:stream\/(?:core\/(?:stage|inlet|upstream|queue)|operators\/map(?:-async)?\.|pipe|compose)|parsers\/[^/]+$|messages\/(?:check-chunk|errors|is-message|loose|blocks\/read)\.)/,
  stream: /src\/stream\//,
  // With what the views of a stream need.
  json: /src\/(?:(?:find|lenient|json)\/(?!patch\/)|parsers\/json\/(?:json-(?:views|stage|items)|reporting)|schema\/(?:guard\/(?:alternative|known-shapes|violation)|part\/declared-at|schema|values)\.)/,
  xml: /src\/xml\//,
  schema: /src\/schema\//,
  // With jsonParser(), which `millrace json` needs without the other parsers, and with the parts of json/patch that
  // millrace/json and millrace/client do not need.
  messages: /src\/(?:messages\/|json\/patch\/|text\/json-text\.|parsers\/(?:json|tool-calls)\/)/,
  // Loaded with the first stream that has calls as text.
  calls: /src\/parsers\/text-tool-calls\/(?!text-tool-calls\.)/,
  parsers: /src\/(?:list|parsers|prompts)\//,
  // What an agent needs of models. The rest is loaded with a provider.
  models: /src\/(?:models\/(?:contract|http\/(?:retry-delay|provider-error)|[^/]+$)|text\/(?:redactor|url-))/,
  http: /src\/models\/(?:http|wire|dialect\/(?!grammar))/,
  // What creates an agent, then what its first run loads, with middleware and capture().
  agent:
    /src\/(?:agent\/(?:agent\.|agent-options|errors|answer\/(?:partials|plan|request|response-format|target))|object\/|tools\/)/,
  run: /src\/agent\//,
  serve: /src\/serve\//,
  client: /src\/client\//,
  // What every command needs: `millrace json` paints nothing and asks no model.
  cli: /src\/cli\/(?!terminal\/(?:fill-in|live-view|render-value|styles|tally|text-layout)|commands\/(?:ask|call-counts|connection))/,
  terminal: /src\/cli\/|node_modules\//,
};

/** The same for declarations, which are coarser: bundlers do not read them. */
const typeRooms = {
  core: /src\/(?:stream|tree|json|lenient|schema|text)\/|src\/errors\.|node_modules\//,
  models: /src\/(?:messages|models|list|parsers|xml)\//,
  agent: /src\/(?:agent|tools|serve|client)\//,
};

/**
 * Packages that are copied into dist: a package that stays a file of its own takes a millisecond or two at import. Only
 * the command uses the first one. Of typebox only the formats are used. The last one is types alone.
 */
const bundled = /^(?:string-width|eventsource-parser|typebox\/format|@standard-schema\/spec)$/;

const entries = packageEntries(root);

/** Makes typebox's regular expressions of Unicode classes when they are first used. At import they take 2 ms. */
const lazyUnicode: Plugin = {
  name: "lazy-unicode",
  transform: {
    filter: { id: /typebox\/build\/format\/(?:idn_email|idna\/pattern\/pattern)\.mjs$/ },
    handler: (code) => ({
      code:
        lazyPattern +
        code
          .replace(/(?<== )\/(.*)\/(i?u);$/gm, (_, source: string, flags: string) => {
            return `lazyPattern(${JSON.stringify(source)}, "${flags}");`;
          })
          .replaceAll("new RegExp(", "lazyPattern("),
      map: null, // each line stays where it is
    }),
  },
};
const lazyPattern =
  "const lazyPattern = (source, flags, pattern) => ({ source, " +
  "test: (text) => (pattern ??= new RegExp(source, flags)).test(text) }); ";

const shortest: MinifyOptions = {
  module: true,
  mangle: { toplevel: true },
  codegen: { removeWhitespace: true, asciiOnly: true },
};

/** Code of others, in which nobody looks for a line, with short names. */
const shortNames: Plugin = {
  name: "short-names",
  transform: {
    filter: { id: /node_modules/ },
    handler: (code, id) => ({ code: minifySync(id, code, shortest).code, map: null }),
  },
};

const start = performance.now();
/** The paths of all modules in dist. */
const modules: string[] = [];
rmSync(dist, { recursive: true, force: true });
const library = Object.fromEntries(entries.map(({ file, source }) => [file, join(root, source)]));
await write(
  { input: { ...library, cli: join(root, "src/cli/main.ts") }, plugins: [lazyUnicode, shortNames] },
  { comments: { legal: false, annotation: true, jsdoc: false }, sourcemap: true },
  rooms,
);
done("code");
await write(
  {
    input: library,
    plugins: [
      dts({ emitDtsOnly: true, oxc: true, sourcemap: false, tsconfig: "tsconfig.build.json", cwd: root }),
    ],
  },
  {},
  Object.fromEntries(Object.entries(typeRooms).map(([name, test]) => [`${name}.d`, test])),
);
done("types");
writeFileSync(join(dist, "third-party-licences.txt"), licencesOf(modules));

async function write(
  input: InputOptions,
  output: OutputOptions,
  shared: Readonly<Record<string, RegExp>>,
): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    external: isExternal,
    // typebox fills a registry of formats when it loads, which nothing here reads.
    treeshake: { moduleSideEffects: [{ test: /\/typebox\//, sideEffects: false }] },
    checks: { bundlerTimings: false },
    // The source map names the file of each line.
    experimental: { attachDebugInfo: "none" },
    ...input,
  });
  const written = await bundle.write({
    dir: dist,
    format: "esm",
    // One other character makes V8 read the whole file as text of two bytes, which takes 5 to 10 % longer.
    charset: "ascii",
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    minifyInternalExports: false,
    codeSplitting: {
      groups: Object.entries(shared).map(([name, test]) => ({ name, test, minShareCount: 2 })),
    },
    ...output,
  });
  await bundle.close();
  const chunks = written.output.filter((file) => file.type === "chunk");
  const exported = new Set(chunks.flatMap((chunk) => (chunk.isEntry ? chunk.exports : [])));
  for (const { fileName, code, map, moduleIds } of chunks) {
    // Nobody reads a stack trace of the command.
    const isCommand = moduleIds.every((id) => /\/(?:src\/cli|node_modules)\//.test(id));
    const read = withoutUnread(code, exported);
    const text = isCommand ? minifySync(fileName, read, shortest).code : droppable(fileName, read);
    // Texts with the tag String.raw stay as they are.
    if (!isCommand && fileName.endsWith(".js") && /[^\0-\x7f]/.test(text))
      throw new Error(`${fileName} has characters that are not ASCII. Escape those in String.raw.`);
    writeFileSync(join(dist, fileName), text);
    if (map === null) continue;
    if (isCommand) rmSync(join(dist, `${fileName}.map`));
    else writeFileSync(join(dist, `${fileName}.map`), JSON.stringify(linesOf(map)));
  }
  modules.push(...chunks.flatMap(({ moduleIds }) => moduleIds));
}

/**
 * Removes the docs of private members and of types that no entry exports, and the marks of pure calls in fields of
 * classes, which no bundler drops.
 */
function withoutUnread(code: string, exported: ReadonlySet<string>): string {
  return code
    .replace(/ *\/\*\*(?:(?!\*\/)[^])*\*\/\n(?= *private )/g, "")
    .replace(
      /^\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=(?:declare |abstract )*(?:class|interface|type|function|const) ([\w$]+))/gm,
      // A name that is also a global one ends with $1 in declarations.
      (docs: string, name: string) => (exported.has(name.replace(/\$\d+$/, "")) ? docs : ""),
    )
    .replace(/(?<=[;{][\w$]+=)\/\* @__PURE__ \*\/ /g, "");
}

/**
 * A map of the lines of our sources alone. With columns and the sources themselves, the maps would be twice as large as
 * the code.
 */
function linesOf({ sources, mappings }: SourceMap): object {
  const lines = decode(mappings).map((line): SourceMapSegment[] => {
    const [, source, at] = line.find((segment) => segment.length > 1) ?? [];
    if (source === undefined || at === undefined || sources[source]?.includes("node_modules")) return [];
    return [[0, source, at, 0]];
  });
  return { version: 3, sources, names: [], mappings: encode(lines) };
}

/**
 * Packages and built-in modules stay imports, but for what is bundled. A package that a bundled one imports is bundled
 * too.
 */
function isExternal(id: string, importer: string | undefined): boolean {
  if (/^[./]/.test(id) || bundled.test(id)) return false;
  return id.startsWith("node:") || importer?.includes("/node_modules/") !== true;
}

function done(what: string): void {
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
