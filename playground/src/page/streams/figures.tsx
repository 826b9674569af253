import { type ReactNode, useSyncExternalStore } from "react";
import { useObject } from "millrace/react";
import { count, share } from "../counts.js";
import type { End } from "../../protocol.js";
import type { PageRun } from "../transport/run.js";

/** Plain numbers: the savings of the run, compared with whole snapshots that are parsed again and again. */
export function Figures({ run }: { readonly run: PageRun }): ReactNode {
  const point = useObject(run.trace, ({ value }) => value?.points?.at(-1));
  const end = useObject(run.trace, ({ value }) => value?.end) as End | null | undefined;
  const total = useObject(run.trace, ({ value }) => value?.total) ?? 0;
  const repairs = useObject(run.trace, ({ value }) => value?.repairs?.length) ?? 0;
  const refused = useObject(run.trace, ({ value }) => value?.refused?.length) ?? 0;
  const { patches, again } = run.renders;
  const ours = useSyncExternalStore(patches.subscribe, patches.getFields);
  const theirs = useSyncExternalStore(again.subscribe, again.getFields);
  const { append = 0, snapshot = 0, again: parsedAgain = 0, characters = 0, ahead = 0 } = point ?? {};
  const figures: readonly (readonly [figure: string | undefined, meaning: string])[] = [
    [ahead >= 1 ? count(Math.round(ahead)) : undefined, "characters earlier, each component"],
    [times(snapshot, append), "fewer bytes"],
    [times(parsedAgain, characters), "less parsing"],
    [times(theirs, ours), "fewer renders"],
    [repairs > 0 ? count(repairs) : undefined, repairs === 1 ? "repair" : "repairs"],
    [refused > 0 ? count(refused) : undefined, refused === 1 ? "line taken back" : "lines taken back"],
    [end?.kind === "failed" ? share(total - characters, total) : undefined, "never read or paid for"],
  ];
  return (
    <ul className="figures" aria-label="Saved by this run">
      {figures.map(
        ([figure, meaning]) =>
          figure !== undefined && (
            <li key={meaning}>
              <strong>{figure}</strong> {meaning}
            </li>
          ),
      )}
    </ul>
  );
}

/** `16×`, or `undefined` if the first is not larger. */
function times(other: number, ours: number): string | undefined {
  const ratio = ours === 0 ? 0 : other / ours;
  if (ratio < 1.05) return undefined;
  return `${ratio < 3 ? ratio.toFixed(1) : count(Math.round(ratio))}×`;
}
