import type { ReactNode } from "react";
import { useBottom } from "./use-bottom.js";

interface ScrollBoxProps {
  readonly className: string;
  /** Label for screen readers. */
  readonly label: string;
  readonly role: "region" | "log";
  /** A change of this value scrolls to the end. */
  readonly content: unknown;
  readonly children: ReactNode;
}

/**
 * A scrollable box that keeps the end of growing content visible. It is focusable, and screen readers do not announce
 * its changes.
 */
export function ScrollBox({ className, label, role, content, children }: ScrollBoxProps): ReactNode {
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
