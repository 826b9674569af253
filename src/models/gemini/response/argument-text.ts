import { GrowingJsonText } from "../../../json/patch/growing-json-text.js";
import type { JsonPatch, JsonPatchOperation } from "../../../json/patch/patch.js";
import {
  isContainer,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  valuesIn,
} from "../../../json/value.js";
import { childPointer } from "../../../tree/pointer.js";
import { argumentText } from "../../wire/plain-json.js";
import type { Path } from "./json-path.js";

/**
 * Converts arguments that arrive as values at paths to growing JSON text.
 *
 * Gemini sends arguments in document order, so a value nearly always belongs at the open end. For a place that is
 * already closed, `GrowingJsonText` writes the member of the innermost open object again. Texts for one place are
 * joined. Two open strings that grow in turn are written again each time, so there is a limit to that.
 *
 * Some models contradict themselves, for example with a member of an array (vercel/ai#14358). No JSON text can express
 * that, so the raw patch is appended and the text becomes invalid. The call becomes an `invalid_tool_call` that
 * contains everything.
 */
export class ArgumentText {
  private readonly text = new GrowingJsonText();
  private readonly gaps: Gaps = { left: 1_000 };
  private broken = false;

  /** @param more whether the value is a string that continues */
  write(path: Path | undefined, value: JsonValue, more: boolean, patch: JsonValue): string {
    const start = this.start();
    const isBroken = this.broken || this.text.rewrittenLength > maxRewritten;
    const changes =
      isBroken || path === undefined ? undefined : changesFor(this.text.value, path, value, this.gaps);
    if (changes === undefined) return start + this.break(patch);
    return start + this.text.write(changes) + (more ? "" : this.text.endString());
  }

  /** Writes whole arguments. Anything else than a JSON object is invalid. */
  writeAll(args: JsonValue): string {
    const isNoNumber = (value: JsonValue): boolean => typeof value === "number" && !Number.isFinite(value);
    if (!isObject(args) || valuesIn(args).some(isNoNumber)) return this.start() + this.break(args);
    if (this.text.value === undefined) {
      const entries = Object.entries(args);
      return entries.map(([key, value]) => this.write([key], value, false, args)).join("");
    }
    if (Object.keys(args).length === 0) return "";
    const same = !this.broken && argumentText(this.text.value) === argumentText(args);
    return same ? "" : this.break(args);
  }

  /** Ends the text. An invalid text stays invalid. */
  end(): string {
    return this.broken ? "" : this.start() + this.text.end();
  }

  private start(): string {
    return this.text.value === undefined ? this.text.write([{ op: "replace", path: "", value: {} }]) : "";
  }

  private break(patch: JsonValue): string {
    this.broken = true;
    return `${this.text.endString()}\n${argumentText(patch)}`;
  }
}

const maxRewritten = 1_000_000;

/** Skipped elements become null. More of them are treated as an error, because five characters can skip 999. */
interface Gaps {
  left: number;
}

/** The changes that put a value at a path; `undefined` if the values so far contradict the path. */
function changesFor(
  root: JsonValue | undefined,
  path: Path,
  value: JsonValue,
  gaps: Gaps,
): JsonPatch | undefined {
  let node = root;
  let pointer = "";
  for (const [index, step] of path.entries()) {
    if (!isContainer(node) || Array.isArray(node) !== (typeof step === "number")) return undefined;
    const before = memberOf(node, step);
    const place = childPointer(pointer, step);
    const inner = path.slice(index + 1);
    if (before === undefined || before === null) {
      const first = Array.isArray(node) ? Math.max((step as number) - node.length, 0) : 0;
      gaps.left -= inner.reduce<number>((sum, it) => (typeof it === "number" ? sum + it : sum), first);
      if (gaps.left < 0) return undefined;
      const op = before === undefined ? "add" : "replace";
      const skipped = Array.isArray(node) ? nullsAfter(node, first, pointer) : [];
      return [...skipped, { op, path: place, value: around(inner, value) }];
    }
    if (inner.length === 0) {
      if (isContainer(before)) return undefined;
      const joins = typeof before === "string" && typeof value === "string";
      return [joins ? { op: "append", path: place, value } : { op: "replace", path: place, value }];
    }
    node = before;
    pointer = place;
  }
  return undefined;
}

function memberOf(node: JsonObject | JsonArray, step: string | number): JsonValue | undefined {
  return Object.hasOwn(node, step) ? (node as Record<string | number, JsonValue>)[step] : undefined;
}

function nullsAfter({ length }: JsonArray, count: number, pointer: string): JsonPatchOperation[] {
  return Array.from({ length: count }, (_, skipped) => ({
    op: "add",
    path: childPointer(pointer, length + skipped),
    value: null,
  }));
}

function around(steps: Path, value: JsonValue): JsonValue {
  return steps.reduceRight<JsonValue>(
    (inner, step) =>
      typeof step === "string" ? { [step]: inner } : [...Array.from({ length: step }, () => null), inner],
    value,
  );
}
