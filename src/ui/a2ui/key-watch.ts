import { forwardingWatch } from "../../json/forwarding.js";
import type { JsonWatch } from "../../json/guard.js";
import { OperationProblem } from "../../parsers/patch-lines/line-error.js";
import { notAMessage } from "./message-checks.js";

/** Refuses keys that clients cannot have, and members of a message that are there twice. Passes the rest on. */
export function keyWatch(inner: JsonWatch): JsonWatch {
  let depth = 0;
  /** The members of the message, and those of its body. */
  const seen = [new Set<string>(), new Set<string>()];
  /** The names `id` and `component` that the open component has so far. */
  let named = new Set<string>();
  return {
    ...forwardingWatch(inner),
    key(written) {
      if (written === "__proto__") {
        throw new OperationProblem("forbidden_key", 'the key "__proto__" is not allowed.');
      }
      const key = inner.key(written);
      const isName = depth === 4 && (key === "id" || key === "component");
      const known = isName ? named : seen[depth - 1];
      if (known?.has(key) === true) throw notAMessage(`it has ${JSON.stringify(key)} twice.`);
      known?.add(key);
      return key;
    },
    open(kind, hidden) {
      const result = inner.open(kind, hidden);
      depth++;
      if (depth === 4) named = new Set();
      return result;
    },
    closed() {
      depth--;
      inner.closed();
    },
  };
}
