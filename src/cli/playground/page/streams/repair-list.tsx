import type { ReactNode } from "react";
import { count, counted } from "../../../terminal/numbers.js";
import type { Repair } from "../../protocol.js";
import { useBottom } from "./use-bottom.js";

/** The last repairs, with the text around each. */
export function RepairList({ repairs }: { readonly repairs: readonly Repair[] }): ReactNode {
  const shown = repairs.slice(-maxShown);
  const { ref, onScroll } = useBottom<HTMLOListElement>(repairs);
  return (
    <div className="repairs">
      <h3>{counted(repairs.length, "repair")}</h3>
      <ol ref={ref} onScroll={onScroll} tabIndex={0} aria-label="Repairs">
        {shown.map(({ kind, offset, near }, i) => (
          <li key={repairs.length - shown.length + i}>
            <span className="repair-kind">{kind.replaceAll("_", " ")}</span>
            <code>{near.replaceAll(/\s+/g, " ")}</code>
            <span className="repair-at">{count(offset)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const maxShown = 50;
