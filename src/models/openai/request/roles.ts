/**
 * What OpenAI calls the role of a message about the task. From its reasoning models on it is `developer`; other servers
 * know `system` only.
 */
export type SystemRole = "system" | "developer";

export function systemRoleOf(official: boolean, reasons: boolean): SystemRole {
  return official && reasons ? "developer" : "system";
}
