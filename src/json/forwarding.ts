import type { JsonPlace, JsonWatch } from "./guard.js";

/**
 * A watch that passes everything on, to spread into one that does more. Without an inner watch it allows everything.
 */
export function forwardingWatch(inner: JsonWatch | undefined): JsonWatch {
  return {
    key: (key) => (inner === undefined ? key : inner.key(key)),
    knowsKey: (key) => inner?.knowsKey?.(key),
    expectsKey: (key) => inner?.expectsKey?.(key) ?? true,
    allowsElement: (kind) => inner?.allowsElement?.(kind) ?? true,
    open: (kind, hidden) => (inner === undefined ? hidden : inner.open(kind, hidden)),
    close: () => inner?.close(),
    closed: () => inner?.closed(),
    begin: (kinds) => inner === undefined || inner.begin(kinds),
    text: (text, suffix) => inner === undefined || inner.text(text, suffix),
    leaf: (value) => (inner === undefined ? value : inner.leaf(value)),
  };
}

/** A place that passes everything on, to spread into one that does more. */
export function forwardingPlace(place: JsonPlace): JsonPlace {
  return {
    pointer: (inChild) => place.pointer(inChild),
    container: () => place.container(),
    snapshot: () => place.snapshot(),
    reveal() {
      place.reveal();
    },
    wrap() {
      place.wrap();
    },
    hold() {
      place.hold();
    },
    leaveOpen() {
      place.leaveOpen();
    },
    settle(values) {
      place.settle(values);
    },
  };
}
