import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { OperationProblem } from "../../parsers/patch-lines/line-error.js";
import type { LineContext } from "../../parsers/patch-lines/streamed-line.js";
import { formatIssues } from "../../schema/schema.js";
import type { A2uiCatalogueSchema } from "./a2ui-catalogue.js";
import { type A2uiKind, a2uiKinds } from "./a2ui-message.js";

export function notAMessage(problem: string): OperationProblem {
  return new OperationProblem("not_an_operation", `expected a message of A2UI, but ${problem}`);
}

/** @throws {OperationProblem} unless the message is of exactly one kind */
export function messageKindOf(message: JsonValue | undefined): A2uiKind {
  const [kind, other] = a2uiKinds.filter((each) => isObject(message) && Object.hasOwn(message, each));
  if (kind === undefined) throw notAMessage(`it has none of ${a2uiKinds.join(", ")}.`);
  if (other !== undefined) throw notAMessage(`it has both ${kind} and ${other}.`);
  return kind;
}

/** The kind of a message that is still being written. */
export function kindSoFar(message: JsonValue | undefined): A2uiKind | undefined {
  if (!isObject(message)) return undefined;
  const kinds: ReadonlySet<string> = new Set(a2uiKinds);
  return Object.keys(message).find((key) => kinds.has(key) && isObject(message[key])) as A2uiKind | undefined;
}

/** Allows a message without its version, as a repair. */
export function checkVersion(message: JsonObject, { repair, onRepair }: LineContext): void {
  if ("version" in message) return;
  if (!repair) throw notAMessage('it has no "version".');
  onRepair("missing_version");
}

/** Allows a path without its first slash, as a renderer does. */
export function checkPath(path: JsonValue | undefined, { repair, onRepair }: LineContext): void {
  if (path === undefined || /^(?:\/|(?:\/[^/]+)*)$/.test(path as string)) return;
  if (!repair) throw notAMessage(`its path is no JSON Pointer: ${JSON.stringify(path)}.`);
  onRepair("path");
}

/** @throws {OperationProblem} `schema` if the catalogue does not allow the complete component */
export function checkComponent(component: JsonObject, at: string, catalogue: A2uiCatalogueSchema): void {
  const issues = catalogue.check(component);
  if (issues.length === 0) return;
  const placed = issues.map(({ pointer, message }) => ({ pointer: at + pointer, message }));
  throw new OperationProblem("schema", `its component does not satisfy its schema. ${formatIssues(placed)}`);
}
