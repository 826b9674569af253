import { isRecord } from "../../messages/loose.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import { excerpt } from "../../text/excerpt.js";
import { invalidOptions, type AgentError } from "../errors.js";

/**
 * Checks that each value is a tool, and says what to write instead of a function or the tool of another library.
 *
 * @throws {AgentError} `invalid_options`
 */
export function checkTools(tools: readonly AnyTool[]): void {
  checkArray("tools", tools);
  for (const [index, tool] of (tools as readonly unknown[]).entries()) {
    const place = `tools[${index}]`;
    if (typeof tool !== "function" && !isRecord(tool))
      throw wrong(`${place} must be a tool, as tool() makes it`, tool);
    if (isTool(tool)) continue;
    const { name, invoke } = tool as { readonly name?: unknown; readonly invoke?: unknown };
    const shown = typeof name === "string" && name !== "" ? excerpt(name, 60) : "…";
    const run =
      typeof tool === "function"
        ? shown
        : typeof invoke === "function"
          ? `(args) => ${shown}.invoke(args)`
          : "…";
    const what = typeof tool === "function" ? "a function" : "an object that tool() did not make";
    throw invalidOptions(
      `${place} is ${what}. Write tool({ name: ${JSON.stringify(shown)}, description, schema, run: ${run} }).`,
    );
  }
}

/** @throws {AgentError} `invalid_options` */
export function checkArray(option: "tools" | "middleware", value: unknown): void {
  if (!Array.isArray(value)) throw wrong(`${option} must be an array`, value);
}

/** Whether it has what an agent needs. A copy of a tool with changed fields is a tool too. */
function isTool(value: object): boolean {
  const tool = value as Partial<AnyTool>;
  return (
    typeof tool.name === "string" &&
    isRecord(tool.parameters) &&
    typeof tool.check === "function" &&
    typeof tool.run === "function"
  );
}

function wrong(expected: string, found: unknown): AgentError {
  return invalidOptions(`${expected}, but got ${excerpt(found, 80)}.`);
}
