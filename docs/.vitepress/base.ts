/** Of the path of the site on its host: `DOCS_BASE=/millrace/ npm run docs` for one that is not at the root. */
export const siteBase: string = baseOf(process.env["DOCS_BASE"]);

function baseOf(given = ""): string {
  const name = given.replaceAll(/^\/+|\/+$/g, "");
  return name === "" ? "/" : `/${name}/`;
}
