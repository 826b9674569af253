/** A page of 2,000 elements and one title, each a `<Streamed>`. The test applies patches to it. */
import type { AnyPatchOperation } from "millrace/json";
import { createPatchStore } from "millrace/client";
import { createRoot } from "react-dom/client";
import { type FlatSpec, TitlePage, treePage } from "../../../client/streamed-pages.js";

const store = createPatchStore<FlatSpec & { readonly title: string }>();
const rendered: string[] = [];
const titles: string[] = [];

const page: StreamedPage = {
  async apply(...patches) {
    rendered.length = 0;
    titles.length = 0;
    for (const patch of patches) store.apply(patch);
    // The store shows the patches with the first frame. React has rendered by the second.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return { rendered: [...rendered], titles: [...titles], text: document.querySelector("h1")?.textContent };
  },
};
Object.assign(globalThis, { page });
createRoot(document.querySelector("main") as Element).render(
  <>
    <TitlePage of={store.select("/title")} rendered={titles} />
    {treePage(store, rendered)}
  </>,
);

export interface StreamedPage {
  /** Applies patches within one frame. Returns what they have rendered. */
  apply(...patches: readonly (readonly AnyPatchOperation[])[]): Promise<{
    readonly rendered: readonly string[];
    readonly titles: readonly string[];
    readonly text: string | null | undefined;
  }>;
}
