import { withBase } from "vitepress";
import { type FunctionalComponent, h } from "vue";

/** Opens the search box with the words of the address. The box listens to its key, and remembers its last words. */
function search(): void {
  const words =
    location.pathname
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "")
      .replaceAll(/\W+/g, " ") ?? "";
  sessionStorage.setItem("vitepress:local-search-filter", words);
  dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
}

/** The page at an address that has none. */
export const NotFound: FunctionalComponent = () =>
  h("main", { class: "not-found" }, [
    h("h1", "There is no page at this address"),
    h("p", "It may have moved. Search for it, or begin at one of these pages."),
    h("p", [
      h("button", { type: "button", onClick: search }, "Search the docs"),
      h("a", { href: withBase("/learn/start.html") }, "Quickstart"),
      h("a", { href: withBase("/learn/recipes/") }, "Recipes"),
      h("a", { href: withBase("/exports/") }, "API"),
    ]),
  ]);
