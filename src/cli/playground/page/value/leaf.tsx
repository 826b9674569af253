import type { ReactNode } from "react";
import { count } from "../../../terminal/numbers.js";

interface Props {
  readonly value: string | number | boolean | null;
  readonly complete: boolean;
}

/** A string, number or literal. A long string shows its end while it grows, and its beginning when complete. */
export function Leaf({ value, complete }: Props): ReactNode {
  if (typeof value !== "string") return <span className="scalar">{String(value)}</span>;
  const cut = value.length > maxShown;
  const shown = !cut ? value : complete ? value.slice(0, maxShown) : value.slice(-maxShown);
  const rest = cut && <span className="rest">… {count(value.length)} characters …</span>;
  return (
    <span className="string">
      {!complete && rest}
      {shown}
      {complete && rest}
      {!complete && <span className="caret" aria-hidden="true" />}
    </span>
  );
}

const maxShown = 1_200;
