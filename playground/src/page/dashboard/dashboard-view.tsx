import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createPatchStore } from "millrace/client";
import { Streamed, useObject } from "millrace/react";
import { counted } from "../counts.js";
import { Renders } from "../card/card-view.js";
import type { End, RefusedLine } from "../../protocol.js";
import { ConnectionNote } from "../streams/connection-note.js";
import { Panel } from "../streams/panel.js";
import { withoutBorders } from "../streams/last-chunks.js";
import type { PageRun } from "../transport/run.js";
import { Board, BoardContext, type BoardSpec } from "./board.js";
import { Element } from "./element.js";
import { noLines, readLines } from "./read-lines.js";

/** The interface that the model writes, from the first character of each component on. */
export function DashboardView({ run }: { readonly run: PageRun }): ReactNode {
  const status = useObject(run.document, (state) => state.status);
  const refused = useObject(run.trace, ({ value }) => value?.refused) as readonly RefusedLine[] | undefined;
  const board = useMemo(() => new Board(run.document as never, run.renders.patches, true), [run]);
  const taken = refused?.at(-1)?.message.replace(/^Operation \d+, at offset \d+: /, "");
  return (
    <Panel name="page" title="millrace" aside={<Renders of={run.renders.patches} />}>
      <BoardBox board={board} label="Dashboard, by patches" status={status} />
      <ConnectionNote run={run} />
      {taken !== undefined && <p className="page-note bad">A line was taken back. {taken}</p>}
    </Panel>
  );
}

/** The same lines, each read at its end, as is usual. */
export function LinesView({ run }: { readonly run: PageRun }): ReactNode {
  const text = useObject(run.trace, ({ value }) => value?.text) ?? "";
  const end = useObject(run.trace, ({ value }) => value?.end) as End | null | undefined;
  const ended = end !== null && end !== undefined;
  const [read, setRead] = useState(noLines);
  const board = useMemo(() => new Board(createPatchStore<BoardSpec>(), run.renders.again, false), [run]);
  useEffect(() => setRead((before) => readLines(before, withoutBorders(text), ended)), [text, ended]);
  const { value, lines, dropped } = read;
  useEffect(() => {
    if (lines > 0) board.store.apply([{ op: "replace", path: "", value }]);
  }, [board, value]);
  return (
    <Panel name="again" title="JSON.parse, line by line" aside={<Renders of={run.renders.again} />}>
      <BoardBox board={board} label="Dashboard, line by line" status="" />
      {lines > 0 && (
        <p className={dropped > 0 ? "page-note again-note bad" : "page-note again-note"}>
          {counted(lines, "whole line")}, each with JSON.parse
          {dropped > 0 && `, ${dropped} dropped`}
        </p>
      )}
    </Panel>
  );
}

interface BoardBoxProps {
  readonly board: Board;
  readonly label: string;
  readonly status: string;
}

function BoardBox({ board, label, status }: BoardBoxProps): ReactNode {
  const value = useObject(board.store, (state) => state.value);
  const box = useRef<HTMLDivElement>(null);
  /** Whether the place where the model writes is kept in view: until the user scrolls. */
  const follows = useRef(true);
  const leave = (): void => {
    follows.current = false;
  };
  useLayoutEffect(() => {
    const open = box.current?.querySelectorAll("[aria-busy=true]");
    const last = open?.[open.length - 1];
    if (!follows.current || box.current === null || last === undefined) return;
    const below = last.getBoundingClientRect().bottom - box.current.getBoundingClientRect().bottom;
    if (below > 0) box.current.scrollTop += below + 12;
  }, [value]);
  return (
    <div
      className={`scroll card-box board ${status}`}
      ref={box}
      onWheel={leave}
      onTouchMove={leave}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <BoardContext value={board}>
        <Streamed of={board.store.select("/root")} pending={<p className="empty">Nothing to show yet.</p>}>
          {(root: unknown) => typeof root === "string" && <Element name={root} parent="" />}
        </Streamed>
      </BoardContext>
    </div>
  );
}
