import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the project. */
export const root: string = join(import.meta.dirname, "../..");

/**
 * The address of the repository for people, from `repository` in package.json; undefined as long as that has none. It is
 * the one place: links out of the site, the links to sources in the API pages and the icon at the top all come from here.
 */
export const repository: string | undefined = webAddress(
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package,
);

interface Package {
  readonly repository?: string | { readonly url: string };
}

/** As npm writes it, `git+https://host/owner/name.git`, made into what a browser opens. */
export function webAddress({ repository: given }: Package): string | undefined {
  const url = typeof given === "string" ? given : given?.url;
  return url?.replace(/^git\+/, "").replace(/(\.git)?\/?$/, "");
}
