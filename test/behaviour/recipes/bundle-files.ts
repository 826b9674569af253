import { readFileSync } from "node:fs";
import { extname, join, posix } from "node:path";
import { build, type BuildOptions, type Loader, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "../../..");

/**
 * Bundles files that are not on the disk into one module. Relative imports lead to the other files, with or without
 * extension; packages are found from a folder. The names of millrace lead to the sources.
 *
 * @param entry the path of the first file
 * @param options with `resolveDir`, the root of the repository by default, and `compile`, which turns components into
 *   TypeScript
 */
export async function bundleFiles(
  files: ReadonlyMap<string, string>,
  entry: string,
  options: BuildOptions & { readonly resolveDir?: string; readonly compile?: Compile },
): Promise<string> {
  const { resolveDir = root, compile = (_path: string, text: string): string => text, ...others } = options;
  const { outputFiles } = await build({
    stdin: { contents: `export * from "./${entry}"; import "./${entry}";`, resolveDir, sourcefile: "/" },
    bundle: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    tsconfigRaw: readFileSync(join(root, "tsconfig.json"), "utf8"),
    logLevel: "silent",
    ...others,
    plugins: [virtual(files, resolveDir, compile)],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** Finds a relative import among the files. */
function fileFor(files: ReadonlyMap<string, string>, path: string, importer: string): string | undefined {
  const plain = posix.join(posix.dirname(importer), path);
  return [plain, `${plain}.ts`, `${plain}.tsx`].find((name) => files.has(name));
}

type Compile = (path: string, text: string) => string;

function virtual(files: ReadonlyMap<string, string>, resolveDir: string, compile: Compile): Plugin {
  return {
    name: "virtual-files",
    setup: (bundler) => {
      bundler.onResolve({ filter: /^\./ }, ({ path, importer, namespace }) => {
        if (namespace !== "virtual" && !importer.endsWith("/")) return undefined;
        const found = fileFor(files, path, namespace === "virtual" ? importer : "");
        return found === undefined ? undefined : { path: found, namespace: "virtual" };
      });
      bundler.onLoad({ filter: /./, namespace: "virtual" }, ({ path }) => ({
        contents: compile(path, files.get(path) ?? ""),
        loader: (/\.tsx?$/.test(path) ? extname(path).slice(1) : "ts") as Loader,
        resolveDir,
      }));
    },
  };
}
