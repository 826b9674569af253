import type { ReactNode } from "react";
import type { StageView } from "./input/page-address.js";

const views: readonly (readonly [StageView, string])[] = [
  ["run", "Live"],
  ["code", "Code"],
];

interface StageTabsProps {
  readonly view: StageView;
  readonly onView: (view: StageView) => void;
}

export function StageTabs({ view, onView }: StageTabsProps): ReactNode {
  return (
    <div className="tabs stage-tabs" role="group" aria-label="View">
      {views.map(([name, label]) => (
        <button key={name} type="button" aria-pressed={view === name} onClick={() => onView(name)}>
          {label}
        </button>
      ))}
    </div>
  );
}
