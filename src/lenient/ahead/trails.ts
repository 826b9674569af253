/**
 * The steps of a search in the text ahead, from each place that it has passed to a later one. The next search, from one
 * of these places, does not read the text between them again.
 *
 * In `"a"; "b"; "c"` each quote asks whether strings follow. The answer at `"b"` is that at `"c"`, also for the quotes
 * of `"a"`. Only steps that no more text can change are kept.
 */
export class Trails {
  private steps: Map<number, number> | undefined;
  private kind: unknown;

  /** Returns the last place to which a search of this kind leads from here. Forgets those of another kind. */
  end(from: number, kind: unknown): number {
    const steps = (this.steps ??= new Map<number, number>());
    if (kind !== this.kind || steps.size > most) steps.clear();
    this.kind = kind;
    let end = from;
    for (let next = steps.get(end); next !== undefined; next = steps.get(end)) end = next;
    for (let at = from; at !== end;) {
      const next = steps.get(at) as number;
      steps.set(at, end);
      at = next;
    }
    return end;
  }

  step(from: number, to: number): void {
    this.steps?.set(from, to);
  }
}

/** How many steps are kept. */
const most = 1_000;

/** A search in the text ahead. It has found nothing between two places, so one from a place between them goes on at the end. */
export class Search {
  private from = 0;
  private to = 0;

  /** Returns the place where a search from here goes on. */
  begin(place: number): number {
    if (place < this.from || place >= this.to) this.from = this.to = place;
    return this.to;
  }

  reach(place: number): void {
    this.to = Math.max(this.to, place);
  }
}
