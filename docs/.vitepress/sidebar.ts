import { addressOf } from "./links.js";
import { pageGroups } from "./pages.js";
import { apiSections } from "./sections.js";

/** A group of the sidebar. */
export interface SidebarGroup {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: SidebarLink[];
}

export interface SidebarLink {
  readonly text: string;
  readonly link: string;
}

/**
 * The sidebar. It lists each page once, in reading order for newcomers. `test/house/site.test.ts` compares it with the
 * files.
 */
export function sidebarFor(root: string): SidebarGroup[] {
  const written = pageGroups.map(({ text, pages }, index) => ({
    text,
    collapsed: index >= openGroups,
    items: pages.map(({ path, title }) => ({ text: title, link: addressOf(path) })),
  }));
  const api = apiSections(root).map(({ name, file }) => ({ text: name, link: `/exports/${file}` }));
  const all = { text: "All modules", link: "/exports/" };
  return [...written, { text: "API", collapsed: true, items: [all, ...api] }];
}

/** The sidebar of the API pages: the group of the API comes first and is open. */
export function apiFirst(sidebar: readonly SidebarGroup[]): SidebarGroup[] {
  const api = sidebar.filter(({ text }) => text === "API");
  const others = sidebar.filter((group) => !api.includes(group));
  return [
    ...api.map((group) => ({ ...group, collapsed: false })),
    ...others.map((group) => ({ ...group, collapsed: true })),
  ];
}

/** The number of groups that are open at first. */
const openGroups = 2;
