import { childPointer } from "../../tree/pointer.js";
import type { OnComplete } from "../options.js";
import { isContainer, type JsonValue } from "../value.js";

/** Reports the values inside a value, inner ones first. Without recursion, because they may be nested deeply. */
export function reportInside(pointer: string, value: JsonValue, report: OnComplete): void {
  const found: Parameters<OnComplete>[] = [];
  const open: typeof found = [[pointer, value, false]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    const [place, container] = next;
    if (!isContainer(container)) continue;
    for (const [name, part] of Object.entries(container))
      open.push([childPointer(place, name), part, Array.isArray(container)]);
  }
  for (const each of found.slice(1).reverse()) report(...each);
}
