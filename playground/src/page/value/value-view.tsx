import { type ReactNode, useMemo } from "react";
import type { JsonValue } from "millrace/json";
import { useObject } from "millrace/react";
import { parentPointer, parsePointer, valueAt } from "../../tree.js";
import type { End } from "../../protocol.js";
import { Panel } from "../streams/panel.js";
import type { PageRun } from "../transport/run.js";
import { moveInTree } from "./move-in-tree.js";
import { type Tree, TreeContext } from "./tree-context.js";
import { TreeNode } from "./tree-node.js";
import { useBottom } from "../streams/use-bottom.js";

/** The value as it fills in, with finished and unfinished parts in different styles. */
export function ValueView({ run }: { readonly run: PageRun }): ReactNode {
  const { value, status, error } = useObject(run.document);
  const end = useObject(run.trace, (state) => state.value?.end) as End | null | undefined;
  const { ref, onScroll } = useBottom<HTMLDivElement>(value);
  const root = value as JsonValue | undefined;
  const failed = end?.kind === "failed" ? end : undefined;
  const tree = useMemo<Tree>(
    () => ({
      isComplete: run.document.isComplete,
      notes: notesOf(failed, run.document.getSnapshot() as JsonValue),
    }),
    [run, failed],
  );
  return (
    <Panel name="value" title="Value" aside={<Legend />}>
      <div className={`scroll tree-box ${status}`} ref={ref} onScroll={onScroll}>
        {root === undefined ? (
          <Empty idle={status === "idle"} />
        ) : (
          <TreeContext value={tree}>
            <ul className="tree" role="tree" aria-label="Value" onKeyDown={moveInTree}>
              <TreeNode
                name={undefined}
                pointer=""
                value={root}
                complete={run.document.isComplete("")}
                level={1}
              />
            </ul>
          </TreeContext>
        )}
        {failed !== undefined && tree.notes.size === 0 && <p className="failure">{failed.message}</p>}
        {status === "error" && failed === undefined && <p className="failure">{(error as Error).message}</p>}
      </div>
    </Panel>
  );
}

function Empty({ idle }: { readonly idle: boolean }): ReactNode {
  if (!idle) return <p className="empty">Nothing yet.</p>;
  return (
    <ol className="empty first-steps">
      <li>Run a sample and watch the value fill in.</li>
      <li>Slow it down, pause, or go chunk by chunk.</li>
      <li>Cut the connection and see it resume.</li>
      <li>Then paste the output of your own model.</li>
    </ol>
  );
}

function Legend(): ReactNode {
  return (
    <>
      <span className="legend-done">finished</span>
      <span className="legend-open">being written</span>
    </>
  );
}

/** Schema violations by pointer. A violation of an absent value is shown at its nearest existing ancestor. */
function notesOf(
  failed: Extract<End, { kind: "failed" }> | undefined,
  root: JsonValue | undefined,
): Tree["notes"] {
  const notes = new Map<string, string>();
  for (const { pointer, message } of failed?.issues ?? []) {
    let at = pointer;
    while (at !== "" && valueAt(root, parsePointer(at)) === undefined) at = parentPointer(at);
    const place = at === pointer ? "" : `${pointer}: `;
    notes.set(at, place + message);
  }
  return notes;
}
