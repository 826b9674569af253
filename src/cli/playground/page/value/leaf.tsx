import type { ReactNode } from "react";
import { count } from "../../../terminal/numbers.js";

interface Props {
  readonly value: string | number | boolean | null;
  readonly complete: boolean;
}

/** A string, a number or a literal. Of a long string only the end is shown while it grows, and then the beginning. */
export function Leaf({ value, complete }: Props): ReactNode {
  if (typeof value !== "string") return <span className="scalar">{String(value)}</span>;
  const cut = value.length > longest;
  const shown = !cut ? value : complete ? value.slice(0, longest) : value.slice(-longest);
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

const longest = 1_200;
