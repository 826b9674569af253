import type { ReactNode } from "react";
import { useObject } from "millrace/react";
import { size } from "../counts.js";
import type { Point } from "../../protocol.js";
import { Chart } from "./chart.js";
import { Panel } from "./panel.js";
import type { PageRun } from "../transport/run.js";

/** Bytes and times of patches, compared with whole snapshots. */
export function Charts({ run }: { readonly run: PageRun }): ReactNode {
  const points = (useObject(run.trace, ({ value }) => value?.points) ?? []) as readonly Point[];
  return (
    <Panel name="costs" title="Total cost" aside="lower is better">
      <div className="charts">
        <Chart
          title="Bytes, sent as"
          points={points}
          format={size}
          series={[
            { label: "append", of: (point) => point.append, kind: "ours" },
            { label: "replace", of: (point) => point.replace, kind: "other" },
            { label: "whole", of: (point) => point.snapshot, kind: "whole" },
          ]}
        />
        <Chart
          title="Parse time"
          points={points}
          format={duration}
          series={[
            { label: "once", of: (point) => point.once, kind: "ours" },
            { label: "again", of: (point) => point.again, kind: "whole" },
          ]}
        />
      </div>
    </Panel>
  );
}

function duration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  return `${Math.round(ms / 1000)} s`;
}
