import { type ReactNode, useMemo } from "react";
import { useObject } from "millrace/react";
import { count, counted } from "../counts.js";
import type { End, RefusedLine, Repair } from "../../protocol.js";
import { MarkedChunk } from "./marked-chunk.js";
import { lastChunks } from "./last-chunks.js";
import { Panel } from "./panel.js";
import type { PageRun } from "../transport/run.js";
import { ScrollBox } from "./scroll-box.js";
import { useBottom } from "./use-bottom.js";

/** The text as it arrives, with chunk borders, repairs and the chunk where parsing failed. */
export function ChunkView({ run }: { readonly run: PageRun }): ReactNode {
  const text = useObject(run.trace, ({ value }) => value?.text) ?? "";
  const repairs = useObject(run.trace, ({ value }) => value?.repairs) as readonly Repair[] | undefined;
  const refused = useObject(run.trace, ({ value }) => value?.refused) as readonly RefusedLine[] | undefined;
  const end = useObject(run.trace, ({ value }) => value?.end) as End | null | undefined;
  const point = useObject(run.trace, ({ value }) => value?.points?.at(-1));
  const total = useObject(run.trace, ({ value }) => value?.total) ?? undefined;
  const { chunks, before } = useMemo(
    () => lastChunks(text, point?.chunks ?? 0, point?.characters ?? 0),
    [text, point],
  );
  const wrong = end?.kind === "failed" ? end : undefined;
  const unread = wrong === undefined ? 0 : (total ?? 0) - (point?.characters ?? 0);
  return (
    <Panel
      name="chunks"
      title="Text, in chunks"
      aside={point?.chunks !== undefined && counted(point.chunks, "chunk")}
    >
      <ScrollBox className="chunk-box code" label="Text" role="region" content={wrong ?? text}>
        {text === "" && <p className="empty">The text appears here as it arrives.</p>}
        {before > 0 && <p className="before">{counted(before, "chunk")} before</p>}
        {chunks.map(({ key, text: piece, offset }, i) => (
          <MarkedChunk
            key={key}
            text={piece}
            offset={offset}
            marks={marksIn(repairs ?? [], offset, piece.length)}
            wrong={wrong !== undefined && i === chunks.length - 1}
          />
        ))}
        {unread > 0 && <p className="unread">{count(unread)} characters were never read</p>}
      </ScrollBox>
      <ReportList repairs={repairs ?? []} refused={refused ?? []} />
    </Panel>
  );
}

function marksIn(repairs: readonly Repair[], offset: number, length: number): readonly Repair[] {
  const found = repairs.filter((repair) => repair.offset >= offset && repair.offset < offset + length);
  return found.length === 0 ? none : found;
}

/** A constant, so a memoized chunk without marks does not render again. */
const none: readonly Repair[] = [];

interface ReportListProps {
  readonly repairs: readonly Repair[];
  readonly refused: readonly RefusedLine[];
}

/** The last repairs, with the text around each, and the last lines that were refused. */
function ReportList({ repairs, refused }: ReportListProps): ReactNode {
  const rows = [
    ...repairs.slice(-maxShown).map(({ kind, offset, near }) => ({ kind, offset, text: near, tone: "" })),
    ...refused
      .slice(-maxShown)
      .map(({ code, offset, message }) => ({ kind: code, offset, text: message, tone: "bad" })),
  ].toSorted((a, b) => a.offset - b.offset);
  const { ref, onScroll } = useBottom<HTMLOListElement>(repairs.length + refused.length);
  if (rows.length === 0) return null;
  const title = [
    ...(repairs.length > 0 ? [counted(repairs.length, "repair")] : []),
    ...(refused.length > 0 ? [`${counted(refused.length, "line")} refused`] : []),
  ];
  return (
    <div className="repairs">
      <h3>{title.join(", ")}</h3>
      <ol ref={ref} onScroll={onScroll} tabIndex={0} aria-label="Repairs">
        {rows.map(({ kind, offset, text, tone }) => (
          <li key={`${kind} ${offset}`} className={tone} title={text}>
            <span className="repair-kind">{kind.replaceAll("_", " ")}</span>
            <code>{text.replaceAll(/\s+/g, " ")}</code>
            <span className="repair-at">{count(offset)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const maxShown = 50;
