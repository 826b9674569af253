import type { ReactNode } from "react";
import { useObject } from "millrace/react";
import { count, size } from "../counts.js";
import type { Point } from "../../protocol.js";
import { Chart } from "./chart.js";
import { Panel } from "./panel.js";
import type { PageRun } from "../transport/run.js";

/** Bytes of patches and characters that are parsed, compared with whole snapshots. */
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
          title="Characters parsed"
          points={points}
          format={count}
          series={[
            { label: "once", of: (point) => point.characters, kind: "ours" },
            { label: "again", of: (point) => point.again, kind: "whole" },
          ]}
        />
      </div>
    </Panel>
  );
}
