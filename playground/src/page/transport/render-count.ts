/** Counts rendered fields, and notifies its listeners once per animation frame. */
export class RenderCount {
  private fields = 0;
  private shown = 0;
  private frame: number | undefined;
  private readonly listeners = new Set<() => void>();

  readonly add = (): void => {
    this.fields++;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.shown = this.fields;
      for (const listener of this.listeners) listener();
    });
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getFields = (): number => this.shown;
}
