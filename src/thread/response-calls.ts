import type { Agent } from "../agent/agent.js";
import { parseFormat } from "../agent/answer/response-format.js";
import { toolTargets } from "../agent/answer/target.js";
import { membersOf } from "../schema/members-of.js";

/** The names of the calls that are structured responses. They are shown as an object, not as calls. */
export function responseCalls({ options: { responseFormat } }: Agent): ReadonlySet<string> {
  if (responseFormat === undefined) return new Set();
  const members = parseFormat(responseFormat).schemas.flatMap(membersOf);
  if (!members.every(({ jsonSchema: { type = "object" } }) => type === "object")) return new Set();
  return new Set(toolTargets(members).map(({ name }) => name));
}
