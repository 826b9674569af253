import type { ReactNode } from "react";
import { Tabs } from "../tabs.js";
import type { PageRun } from "../transport/run.js";
import { ValueView } from "../value/value-view.js";
import { Charts } from "./charts.js";
import { ChunkView } from "./chunk-view.js";
import { PatchList } from "./patch-list.js";

const tabs = [
  ["text", "Text"],
  ["patches", "Patches"],
  ["value", "Value"],
  ["cost", "Cost"],
] as const;

/** What is behind the page, one at a time. */
export type Detail = (typeof tabs)[number][0];

const views = { text: ChunkView, patches: PatchList, value: ValueView, cost: Charts } as const;

interface DetailsProps {
  readonly run: PageRun;
  readonly shown: Detail;
  readonly onShow: (detail: Detail) => void;
}

export function Details({ run, shown, onShow }: DetailsProps): ReactNode {
  return (
    <section className="panel details" aria-label="Details">
      <Tabs label="Details of the run" id="detail" {...{ tabs, shown, onShow, panelOf }} />
      {tabs.map(([name]) => {
        const View = views[name];
        return (
          <div
            key={name}
            id={panelOf(name)}
            className="detail"
            role="tabpanel"
            aria-labelledby={`detail-${name}`}
            hidden={name !== shown}
          >
            <View run={run} />
          </div>
        );
      })}
    </section>
  );
}

function panelOf(name: Detail): string {
  return `details-of-${name}`;
}
