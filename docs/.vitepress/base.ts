/**
 * Where the site is: `DOCS_BASE=https://docs.example/millrace/ npm run docs`, or only the path. Cards of links need the
 * host for their picture.
 */
const given = new URL(process.env["DOCS_BASE"] ?? "/", "http://localhost");

/** The path of the site on its host. */
export const siteBase: string = given.pathname.replace(/\/*$/, "/");

/** The address of the site, or its path if the host is not known. */
export const siteAddress: string = given.hostname === "localhost" ? siteBase : given.origin + siteBase;
