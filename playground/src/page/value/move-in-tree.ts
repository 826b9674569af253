import type { KeyboardEvent } from "react";

/**
 * Handles the keys of a tree as in the ARIA Authoring Practices: arrows, Home, End, Enter. One item is in the tab
 * order.
 */
export function moveInTree(event: KeyboardEvent<HTMLElement>): void {
  const tree = event.currentTarget;
  const item = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
  if (item === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const expanded = item.getAttribute("aria-expanded");
  const items = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = items.indexOf(item);
  const go = (to: HTMLElement | null | undefined): void => {
    if (to === null || to === undefined) return;
    for (const other of items) other.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  };
  const fold = (): void => item.querySelector<HTMLElement>(":scope > .row")?.click();
  switch (event.key) {
    case "ArrowDown":
      go(items[at + 1]);
      break;
    case "ArrowUp":
      go(items[at - 1]);
      break;
    case "Home":
      go(items[0]);
      break;
    case "End":
      go(items.at(-1));
      break;
    case "ArrowRight":
      if (expanded === "false") fold();
      else if (expanded === "true") go(items[at + 1]);
      break;
    case "ArrowLeft":
      if (expanded === "true") fold();
      else go(item.parentElement?.closest<HTMLElement>("[role=treeitem]"));
      break;
    case "Enter":
      fold();
      break;
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
}
