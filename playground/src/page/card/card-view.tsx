import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { JsonValue } from "millrace/json";
import { useObject } from "millrace/react";
import type { SchemaIssue } from "millrace/schema";
import { count, counted } from "../counts.js";
import type { End } from "../../protocol.js";
import { ConnectionNote } from "../streams/connection-note.js";
import { withoutBorders } from "../streams/last-chunks.js";
import { Panel } from "../streams/panel.js";
import { useBottom } from "../streams/use-bottom.js";
import type { PageRun } from "../transport/run.js";
import { Card } from "./card.js";
import type { CardContents } from "./card-context.js";
import { notParsed, parsedAgain } from "./parse-again.js";
import type { RenderCount } from "../transport/render-count.js";

/** The document as a page shows it, filled by patches. */
export function CardView({ run }: { readonly run: PageRun }): ReactNode {
  const { value, status } = useObject(run.document);
  const end = useObject(run.trace, (state) => state.value?.end) as End | null | undefined;
  const { ref, onScroll } = useBottom<HTMLDivElement>(value);
  const contents = useMemo<CardContents>(
    () => ({ isComplete: run.document.isComplete, renders: run.renders.patches }),
    [run],
  );
  return (
    <Panel name="page" title="millrace" aside={<Renders of={run.renders.patches} />}>
      <div
        className={`scroll card-box ${status}`}
        ref={ref}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label="Document, by patches"
      >
        <Card
          value={value as JsonValue | undefined}
          contents={contents}
          complete={run.document.isComplete("")}
          issues={end?.kind === "failed" ? end.issues : noIssues}
        />
      </div>
      <ConnectionNote run={run} />
    </Panel>
  );
}

const noIssues: readonly SchemaIssue[] = [];

/** The same text, parsed from its start with each update, as is usual without an incremental parser. */
export function AgainView({ run }: { readonly run: PageRun }): ReactNode {
  const text = useObject(run.trace, ({ value }) => value?.text) ?? "";
  const [parsed, setParsed] = useState(notParsed);
  /** When the next parse may begin: parsing takes at most a tenth of the page's time. */
  const due = useRef(0);
  const end = useObject(run.trace, ({ value }) => value?.end) as End | null | undefined;
  const ended = end !== null && end !== undefined;
  useEffect(() => {
    const start = performance.now();
    if (text === "" || (start < due.current && !ended)) return;
    setParsed((before) => parsedAgain(before, withoutBorders(text)));
    due.current = performance.now() + 9 * (performance.now() - start);
  }, [text, ended]);
  const { ref, onScroll } = useBottom<HTMLDivElement>(parsed);
  const contents = useMemo<CardContents>(
    () => ({ isComplete: () => true, renders: run.renders.again }),
    [run],
  );
  const { value, parses, failures, takenBack } = parsed;
  const problems = [
    ...(failures > 0 ? [`${count(failures)} failed`] : []),
    ...(takenBack > 0 ? [`${counted(takenBack, "wrong value")} shown`] : []),
    ...(end?.kind === "complete" && !isJson(text) ? ["and JSON.parse fails at the end"] : []),
  ];
  return (
    <Panel name="again" title="JSON.parse of the text so far" aside={<Renders of={run.renders.again} />}>
      <div
        className="scroll card-box"
        ref={ref}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label="Document, parsed again"
      >
        <Card value={value} contents={contents} complete issues={noIssues} />
      </div>
      {parses > 0 && (
        <p className={problems.length > 0 ? "page-note again-note bad" : "page-note again-note"}>
          {[`${counted(parses, "parse")} with partial-json, which adds the closers`, ...problems].join(", ")}
        </p>
      )}
    </Panel>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(withoutBorders(text));
    return true;
  } catch {
    return false;
  }
}

export function Renders({ of }: { readonly of: RenderCount }): ReactNode {
  const fields = useSyncExternalStore(of.subscribe, of.getFields);
  return fields > 0 && counted(fields, "render");
}
