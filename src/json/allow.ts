export { Allow } from "partial-json/options";
