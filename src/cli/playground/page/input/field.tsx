import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  /** Said beside it. */
  readonly note?: string | undefined;
  readonly grow?: boolean;
  readonly children: ReactNode;
}

/** A control under its name. */
export function Field({ label, note, grow = false, children }: Props): ReactNode {
  return (
    <label className={grow ? "field grow" : "field"}>
      <span className="field-name">
        {label}
        {note !== undefined && <span className="field-note">{note}</span>}
      </span>
      {children}
    </label>
  );
}
