import { memo, type ReactNode, useSyncExternalStore } from "react";
import { count, counted } from "../../numbers.js";
import { Panel } from "./panel.js";
import type { Run } from "./run.js";
import { useBottom } from "./use-bottom.js";
import type { WireRow } from "./wire-log.js";

/** What comes over the wire, the last of it. */
export function PatchList({ run }: { readonly run: Run }): ReactNode {
  const { rows, patches, connection } = useSyncExternalStore(run.wire.subscribe, run.wire.getState);
  const { ref, onScroll } = useBottom<HTMLDivElement>(rows);
  return (
    <Panel name="patches" title="Patches" aside={patches > 0 && counted(patches, "patch", "patches")}>
      <div
        className="scroll patch-box code"
        ref={ref}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Patches"
      >
        {rows.length === 0 && <p className="empty">One event for each change, of a few bytes.</p>}
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </div>
      {connection !== undefined && <p className={`wire-note last ${connection.tone}`}>{connection.text}</p>}
    </Panel>
  );
}

const Row: (props: { readonly row: WireRow }) => ReactNode = memo(function Row({
  row,
}: {
  readonly row: WireRow;
}): ReactNode {
  if (row.kind === "note") return <p className={`wire-note ${row.tone}`}>{row.text}</p>;
  const { op, path, value } = row.operation;
  return (
    <p className="patch">
      <span className="event">{count(Number(row.event))}</span>
      <span className={`op ${op}`}>{op}</span>
      <span className="path">{path === "" ? "(root)" : path}</span>
      <span className="patch-value">{shortened(value)}</span>
    </p>
  );
});

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
