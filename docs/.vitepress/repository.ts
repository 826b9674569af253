import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the project. */
export const root: string = join(import.meta.dirname, "../..");

/**
 * The web address of the repository, from `repository` in package.json, or undefined if that is missing. Links out of
 * the site, links to sources in the API pages and the icon at the top use it.
 */
export const repository: string | undefined = webAddress(
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package,
);

interface Package {
  readonly repository?: string | { readonly url: string };
}

/**
 * Converts npm's form, `git+https://host/owner/name.git`, and Git's form, `git@host:owner/name.git`, to an address that a
 * browser can open.
 */
export function webAddress({ repository: given }: Package): string | undefined {
  const url = typeof given === "string" ? given : given?.url;
  return url
    ?.replace(/^git\+/, "")
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, "https://$1/")
    .replace(/(\.git)?\/?$/, "");
}
