import { memo, type ReactNode, useSyncExternalStore } from "react";
import { count, counted } from "../counts.js";
import { Panel } from "./panel.js";
import type { PageRun } from "../transport/run.js";
import { ScrollBox } from "./scroll-box.js";
import type { WireRow } from "../transport/wire-log.js";

/** The last patches and connection events received. */
export function PatchList({ run }: { readonly run: PageRun }): ReactNode {
  const { rows, patches, connection } = useSyncExternalStore(run.wire.subscribe, run.wire.getState);
  return (
    <Panel name="patches" title="Patches" aside={patches > 0 && counted(patches, "patch", "patches")}>
      <ScrollBox className="patch-box code" label="Patches" role="log" content={rows}>
        {rows.length === 0 && <p className="empty">Patches appear here, one small event per change.</p>}
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </ScrollBox>
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
  const { op, path, ...operand } = row.operation;
  return (
    <p className="patch">
      <span className="event">{count(Number(row.event))}</span>
      <span className={`op ${op}`}>{op}</span>
      <span className="path" title={path}>
        {path === "" ? "(root)" : endOf(path)}
      </span>
      <span className="patch-value">{shortened(Object.values(operand)[0])}</span>
    </p>
  );
});

/** The end of a path says what changed. The start is the same for many patches. */
function endOf(path: string): string {
  return path.length <= maxPath ? path : `…${path.slice(1 - maxPath)}`;
}

const maxPath = 28;

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
