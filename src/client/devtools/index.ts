/**
 * The entry `millrace/devtools`: a panel for the page that you develop, and the report of a run that feeds it. Nothing
 * of it is left in a production build.
 */
export { createDevtools } from "./create-devtools.js";
export type { Devtools, DevtoolsOptions, StreamProbe, StreamProbeOptions } from "./devtools.js";
export type { TokenPrice, TokenPrices } from "./prices.js";
export { reportOf, type RunReport, type RunTokens } from "./run-report.js";
