import type { JsonWatch } from "../../json/guard.js";
import type { JsonValue } from "../../json/value.js";
import { OperationProblem } from "../../parsers/patch-lines/line-error.js";
import { notAMessage } from "./message-checks.js";

/** Refuses keys that clients cannot have, and members of a message that are there twice. Passes the rest on. */
export class KeyWatch implements JsonWatch {
  private readonly inner: JsonWatch;
  private depth = 0;
  /** The members of the message, and those of its body. */
  private readonly seen = [new Set<string>(), new Set<string>()];
  /** Of the open component. */
  private named = new Set<string>();

  constructor(inner: JsonWatch) {
    this.inner = inner;
  }

  key(given: string): string {
    if (given === "__proto__") {
      throw new OperationProblem("forbidden_key", 'the key "__proto__" is not allowed.');
    }
    const key = this.inner.key(given);
    const isName = this.depth === 4 && (key === "id" || key === "component");
    const seen = isName ? this.named : this.seen[this.depth - 1];
    if (seen?.has(key) === true) throw notAMessage(`it has ${JSON.stringify(key)} twice.`);
    seen?.add(key);
    return key;
  }

  knowsKey(key: string): boolean | undefined {
    return this.inner.knowsKey?.(key);
  }

  allowsElement(kind: number): boolean {
    return this.inner.allowsElement?.(kind) !== false;
  }

  open(kind: number, hidden: boolean): boolean {
    const result = this.inner.open(kind, hidden);
    this.depth++;
    if (this.depth === 4) this.named = new Set();
    return result;
  }

  close(): void {
    this.inner.close();
  }

  closed(): void {
    this.depth--;
    this.inner.closed();
  }

  begin(kinds: number): boolean {
    return this.inner.begin(kinds);
  }

  text(text: string, suffix: string): boolean {
    return this.inner.text(text, suffix);
  }

  leaf(value: string | number | boolean | null): JsonValue | undefined {
    return this.inner.leaf(value);
  }
}
