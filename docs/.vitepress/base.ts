/** The path of the site on its host. For a site below the root: `DOCS_BASE=/millrace/ npm run docs`. */
export const siteBase: string = baseOf(process.env["DOCS_BASE"]);

function baseOf(given = ""): string {
  const name = given.replaceAll(/^\/+|\/+$/g, "");
  return name === "" ? "/" : `/${name}/`;
}
