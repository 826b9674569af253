import { useStore } from "docs:solid-js";
import { createMemo, createRenderEffect } from "solid-js";
import { render } from "solid-js/web";
import { show } from "./show.js";

show((store, into) =>
  render(() => {
    const state = useStore(store);
    const title = createMemo(() => state().value?.title);
    return [element("h1", title), element("output", () => state().status)];
  }, into),
);

/** The output of the JSX compiler. */
function element(name: string, text: () => string | undefined): Element {
  const made = document.createElement(name);
  createRenderEffect(() => {
    made.textContent = text() ?? "";
  });
  return made;
}
