import type { JsonObject } from "../../json/value.js";

/** A call of a tool, its arguments complete. */
export interface ToolInvocation {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}
