import { memo, type ReactNode } from "react";
import type { Repair } from "../../protocol.js";

interface Props {
  readonly text: string;
  readonly offset: number;
  readonly marks: readonly Repair[];
  /** In the chunk at which reading ended: where, in the whole text; -1 if it is the chunk as a whole. */
  readonly wrong: number | undefined;
}

export const Chunk: (props: Props) => ReactNode = memo(function Chunk({
  text,
  offset,
  marks,
  wrong,
}: Props): ReactNode {
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
  return <span className={wrong === undefined ? "chunk" : "chunk wrong"}>{parts}</span>;
});
