import type { ReactNode } from "react";

interface PanelProps {
  readonly name: string;
  readonly title: string;
  /** Shown to the right of the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ name, title, aside, children }: PanelProps): ReactNode {
  return (
    <section className={`panel ${name}`} aria-labelledby={`${name}-title`} id={name} tabIndex={-1}>
      <header className="panel-head">
        <h2 id={`${name}-title`}>{title}</h2>
        <span className="aside">{aside}</span>
      </header>
      {children}
    </section>
  );
}
