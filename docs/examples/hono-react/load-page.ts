import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export interface LoadedPage {
  readonly html: string;
  readonly css: string;
  readonly script: string;
}

/** The page, with its program as one module for the browser. */
export async function loadPage(): Promise<LoadedPage> {
  const [html, css, { outputFiles }] = await Promise.all([
    readFile(inPage("index.html"), "utf8"),
    readFile(inPage("style.css"), "utf8"),
    build({
      entryPoints: [inPage("page.tsx")],
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
      jsx: "automatic",
      minify: true,
      define: { "process.env.NODE_ENV": '"production"' },
      // The same as for tsx, which runs this: it says where "millrace" is.
      ...(TSX_TSCONFIG_PATH !== undefined && { tsconfig: TSX_TSCONFIG_PATH }),
    }),
  ]);
  return { html, css, script: outputFiles[0]?.text ?? "" };
}

const { TSX_TSCONFIG_PATH } = process.env;

function inPage(name: string): string {
  return fileURLToPath(new URL(`page/${name}`, import.meta.url));
}
