import { vi } from "vitest";

const { setTimeout: realSetTimeout } = globalThis;

/** Timers take a tenth of their time, until `vi.unstubAllGlobals()`. */
export function shortenTimers(): void {
  vi.stubGlobal("setTimeout", (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    realSetTimeout(callback, ms / 10, ...args),
  );
}
