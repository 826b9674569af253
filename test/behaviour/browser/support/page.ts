import type { Plugin } from "esbuild";
import { bundle } from "./bundle.js";

/** An HTML document that runs a program of `test/behaviour/browser/pages`. */
export function documentOf(program: string, plugins: Plugin[] = []): Promise<string> {
  return pageOf(`behaviour/browser/pages/${program}`, plugins);
}

/** The same for a program below `test`. */
export async function pageOf(program: string, plugins: Plugin[] = []): Promise<string> {
  const define = { "process.env.NODE_ENV": '"production"' };
  const script = await bundle(program, { define, plugins });
  return `<!doctype html><meta charset="utf-8"><title>millrace</title><link rel="icon" href="data:,"><main></main><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`;
}
