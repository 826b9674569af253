import { Kind } from "../../json/build/kinds.js";
import { childPointer } from "../../tree/pointer.js";
import { forwardingPlace, forwardingWatch } from "../../json/forwarding.js";
import type { JsonGuard, JsonPlace, JsonWatch } from "../../json/guard.js";

/**
 * A guard that also reports the values that begin, in the order of the text: outer values first.
 *
 * Values inside one that the inner guard withholds are not reported, because it may be read as something else.
 *
 * @param guard decides; without one everything is allowed
 */
export function reportingGuard(
  guard: JsonGuard | undefined,
  onBegin: (pointer: string, isObject: boolean) => void,
): JsonGuard {
  return {
    watch(place, coercing): JsonWatch {
      let depth = 0;
      let heldAt = Infinity;
      let isLeafOpen = false;
      let wraps = false;
      const begin = (isObject: boolean): void => {
        if (depth <= heldAt) onBegin(place.pointer(true), isObject);
      };
      const beginLeaf = (): void => {
        if (!isLeafOpen) begin(false);
        isLeafOpen = true;
      };
      const inner = forwardingWatch(guard?.watch(observed(place), coercing));
      return {
        ...inner,
        open(kind, hidden) {
          begin(kind === Kind.OBJECT);
          const hides = inner.open(kind, hidden);
          if (wraps) onBegin(childPointer(place.pointer(true), 0), true);
          wraps = false;
          depth++;
          return hides;
        },
        closed() {
          depth--;
          inner.closed();
        },
        begin(kinds) {
          beginLeaf();
          return inner.begin(kinds);
        },
        text(text, suffix) {
          beginLeaf();
          return inner.text(text, suffix);
        },
        leaf(value) {
          beginLeaf();
          const result = inner.leaf(value);
          isLeafOpen = false;
          return result;
        },
      };

      function observed(outer: JsonPlace): JsonPlace {
        return {
          ...forwardingPlace(outer),
          wrap() {
            wraps = true;
            outer.wrap();
          },
          hold() {
            heldAt = depth;
            outer.hold();
          },
          leaveOpen() {
            heldAt = depth - 1;
            outer.leaveOpen();
          },
          settle(values) {
            heldAt = Infinity;
            outer.settle(values);
          },
        };
      }
    },
  };
}
