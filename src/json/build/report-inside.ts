import { childPointer } from "../../tree/pointer.js";
import type { JsonValue } from "../value.js";

/** Reports the values inside a value, inner ones first. Without recursion, because they may be nested deeply. */
export function reportInside(
  pointer: string,
  value: JsonValue,
  report: (pointer: string, value: JsonValue) => void,
): void {
  const found: (readonly [pointer: string, value: JsonValue])[] = [];
  const open: typeof found = [[pointer, value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    const [place, container] = next;
    if (typeof container !== "object" || container === null) continue;
    for (const [name, part] of Object.entries(container)) open.push([childPointer(place, name), part]);
  }
  for (const [place, part] of found.slice(1).reverse()) report(place, part);
}
