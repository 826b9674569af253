/** Measurements of a page, stored on the window, where `page.evaluate()` finds them. */
export interface Probe {
  /** The number of renders of each component. */
  readonly renders: Record<string, number>;
  /** Each value that subscribers got, as JSON. */
  readonly shown: string[];
  /** The id of each patch, in order. */
  readonly ids: string[];
  /** The number of lost connections. */
  retries: number;
  /** The number of current subscribers of the store. */
  subscribers: number;
  /** Animation frames since the start of the page. */
  frames: number;
  /** The number of changes of a part of the page in a frame. */
  readonly perFrame: Record<string, number>;
}

export const probe: Probe = {
  renders: {},
  shown: [],
  ids: [],
  retries: 0,
  subscribers: 0,
  frames: 0,
  perFrame: {},
};
Object.assign(globalThis, { probe });

if (typeof requestAnimationFrame === "function") {
  (function frame(): void {
    probe.frames++;
    requestAnimationFrame(frame);
  })();
}

export function rendered(component: string): void {
  probe.renders[component] = (probe.renders[component] ?? 0) + 1;
}
