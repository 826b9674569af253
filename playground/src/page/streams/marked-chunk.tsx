import { memo, type ReactNode } from "react";
import type { Repair } from "../../protocol.js";

interface MarkedChunkProps {
  readonly text: string;
  readonly offset: number;
  readonly marks: readonly Repair[];
  /** Set on the chunk where parsing failed. */
  readonly wrong: boolean;
}

export const MarkedChunk: (props: MarkedChunkProps) => ReactNode = memo(function MarkedChunk({
  text,
  offset,
  marks,
  wrong,
}: MarkedChunkProps): ReactNode {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { kind, offset: at } of marks) {
    const place = at - offset;
    if (place < from) continue;
    parts.push(
      text.slice(from, place),
      <mark key={at} title={kind.replaceAll("_", " ")}>
        {text.slice(place, place + 1)}
      </mark>,
    );
    from = place + 1;
  }
  parts.push(text.slice(from));
  return <span className={wrong ? "chunk wrong" : "chunk"}>{parts}</span>;
});
