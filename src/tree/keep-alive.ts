const kept = new Map<string, unknown>();

/**
 * Creates objects of a kind once, and keeps them alive, so that V8 keeps the code that it has optimised for their shapes
 * (see stream/core/stage.ts). `create` may lead to a call for the same kind, which does nothing.
 */
export function keepAlive(kind: string, create: () => unknown): void {
  if (kept.has(kind)) return;
  kept.set(kind, undefined);
  kept.set(kind, create());
}
