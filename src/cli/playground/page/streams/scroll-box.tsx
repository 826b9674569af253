import type { ReactNode } from "react";
import { useBottom } from "./use-bottom.js";

interface Props {
  readonly className: string;
  /** What a reader of the screen hears. */
  readonly label: string;
  readonly role: "region" | "log";
  /** Whose changes are followed. */
  readonly content: unknown;
  readonly children: ReactNode;
}

/** Something long that is written at its end, which stays in sight. It is reached by Tab, and announces nothing. */
export function ScrollBox({ className, label, role, content, children }: Props): ReactNode {
  const { ref, onScroll } = useBottom<HTMLDivElement>(content);
  return (
    <div
      className={`scroll ${className}`}
      ref={ref}
      onScroll={onScroll}
      tabIndex={0}
      role={role}
      aria-live="off"
      aria-label={label}
    >
      {children}
    </div>
  );
}
