/** What a page tells the test that opened it. It hangs on the window, where `page.evaluate()` finds it. */
export interface Probe {
  /** How often each component was rendered. */
  readonly renders: Record<string, number>;
  /** Each value that subscribers were shown, as JSON. */
  readonly shown: string[];
  /** The id of each patch that came, in order. */
  readonly ids: string[];
  /** How often the connection was lost. */
  retries: number;
  /** How many now listen to the store. */
  subscribers: number;
  /** Animation frames since the page began. */
  frames: number;
}

export const probe: Probe = { renders: {}, shown: [], ids: [], retries: 0, subscribers: 0, frames: 0 };
Object.assign(globalThis, { probe });

(function frame(): void {
  probe.frames++;
  requestAnimationFrame(frame);
})();

export function rendered(component: string): void {
  probe.renders[component] = (probe.renders[component] ?? 0) + 1;
}
