import type { KeyboardEvent, ReactNode } from "react";

interface TabsProps<Name extends string> {
  /** For screen readers. */
  readonly label: string;
  /** The ids of the tabs are `<id>-<name>`. */
  readonly id: string;
  readonly tabs: readonly (readonly [name: Name, title: string])[];
  readonly shown: Name;
  readonly onShow: (name: Name) => void;
  /** The id of the panel of a tab. */
  readonly panelOf: (name: Name) => string;
}

/** A list of tabs. The arrow keys move between them. */
export function Tabs<Name extends string>(props: TabsProps<Name>): ReactNode {
  const { label, id, tabs, shown, onShow, panelOf } = props;
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    const at = tabs.findIndex(([name]) => name === shown);
    const [next] = tabs[(at + by + tabs.length) % tabs.length] ?? [shown];
    onShow(next);
    document.getElementById(`${id}-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([name, title]) => (
        <button
          key={name}
          id={`${id}-${name}`}
          type="button"
          role="tab"
          aria-selected={name === shown}
          aria-controls={panelOf(name)}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => onShow(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
