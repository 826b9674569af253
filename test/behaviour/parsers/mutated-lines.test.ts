import { from, type PatchLineError, pipe } from "millrace";
import { fromSpecStream } from "millrace/ui";
import { describe, expect, test } from "vitest";
import { randomOf } from "../../support/random.js";
import { mutatedStream, outcomeOf } from "../../parsers/patch-lines/support/mutated-lines.js";

describe("a line with a mistake", () => {
  test.each([1, 2, 3, 7])("is repaired or reported, never dropped silently (seed %i)", async (seed) => {
    const random = randomOf(seed);
    let reported = 0;
    for (let stream = 0; stream < 500; stream++) {
      const { text, elements } = mutatedStream(random);
      const errors: PatchLineError[] = [];
      let spec: unknown;
      const parser = fromSpecStream({ onLineError: (error) => errors.push(error), onTruncated: "keep" });
      for await (const next of pipe(from([text]), parser.snapshots)) spec = next;
      for (const element of elements) {
        const outcome = outcomeOf(element, spec, errors);
        const line = text.slice(element.start, element.end);
        expect(outcome, `${line} in ${text}`).not.toBe("silent");
        if (!element.isChanged) expect(outcome, `${line} in ${text}`).toBe("right");
        if (outcome === "reported") reported++;
      }
    }
    expect(reported).toBeGreaterThan(100);
  });
});
