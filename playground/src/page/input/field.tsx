import type { ReactNode } from "react";

interface FieldProps {
  readonly label: string;
  /** Shown beside the label. */
  readonly note?: string | undefined;
  readonly grow?: boolean;
  readonly children: ReactNode;
}

/** A form control with a label above it. */
export function Field({ label, note, grow = false, children }: FieldProps): ReactNode {
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
