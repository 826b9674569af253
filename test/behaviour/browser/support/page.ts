import type { Plugin } from "esbuild";
import { bundle } from "./bundle.js";

/** An HTML document that runs a program of `test/behaviour/browser/pages`. */
export async function documentOf(program: string, plugins: Plugin[] = []): Promise<string> {
  const define = { "process.env.NODE_ENV": '"production"' };
  const script = await bundle(`behaviour/browser/pages/${program}`, { define, plugins });
  return `<!doctype html><meta charset="utf-8"><title>millrace</title><link rel="icon" href="data:,"><main></main><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`;
}
