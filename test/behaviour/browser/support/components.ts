import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { transformAsync } from "@babel/core";
import { type Plugin, transform } from "esbuild";
import { compile } from "svelte/compiler";

/** Compiles the components of Svelte (`.svelte`) and of Solid (`.tsx`) of a page, with checks of hydration. */
export function components(where: "browser" | "server"): Plugin {
  return {
    name: "components",
    setup: (bundler) => {
      bundler.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
        const generate = where === "browser" ? "client" : "server";
        const options = { filename: basename(path), generate, dev: true } as const;
        return { contents: compile(await readFile(path, "utf8"), options).js.code };
      });
      bundler.onLoad({ filter: /\.tsx$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const { code } = await transform(source, { loader: "tsx", jsx: "preserve" });
        const generate = where === "browser" ? "dom" : "ssr";
        const result = await transformAsync(code, {
          presets: [["solid", { generate, hydratable: true }]],
          filename: path,
          babelrc: false,
          configFile: false,
        });
        return { contents: result?.code ?? "" };
      });
    },
  };
}
