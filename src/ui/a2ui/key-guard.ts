import { PassingHandler } from "../../json/passing.js";
import { OperationProblem } from "../../parsers/patch-lines/line-error.js";
import { unescapeKey } from "../../tree/pointer.js";
import { notAMessage } from "./message-checks.js";

/**
 * Stands in front of the guard. Refuses keys that clients cannot have, and members of a message that are there twice.
 * The guard knows which member a key means.
 */
export class KeyGuard extends PassingHandler {
  private depth = 0;
  /** The members of the message, those of its body, and the names `id` and `component` of the open component. */
  private readonly seen = new Map([1, 2, 4].map((depth) => [depth, new Set<string>()]));

  override key(written: string): void {
    if (written === "__proto__") {
      throw new OperationProblem("forbidden_key", 'the key "__proto__" is not allowed.');
    }
    super.key(written);
    const known = this.seen.get(this.depth);
    if (known === undefined) return;
    const pointer = this.pointer(true);
    const key = unescapeKey(pointer.slice(pointer.lastIndexOf("/") + 1));
    if (this.depth === 4 && key !== "id" && key !== "component") return;
    if (known.has(key)) throw notAMessage(`it has ${JSON.stringify(key)} twice.`);
    known.add(key);
  }

  override open(isArray: boolean, hidden?: boolean): void {
    super.open(isArray, hidden);
    this.depth++;
    if (this.depth === 4) this.seen.get(4)?.clear();
  }

  override close(): void {
    this.depth--;
    super.close();
  }
}
