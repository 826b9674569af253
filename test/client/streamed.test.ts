import type { AnyPatchOperation } from "millrace/json";
import { createPatchStore } from "millrace/client";
import { createElement, type ReactNode, StrictMode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeContainer, installFakeDom } from "./fake-dom.js";
import { type FlatSpec, TitlePage, treePage } from "./streamed-pages.js";

describe("<Streamed>", () => {
  let uninstall: () => void;
  beforeAll(() => {
    uninstall = installFakeDom();
  });
  afterAll(() => {
    uninstall();
  });

  /** Mounts a page. Returns what it renders during an action. */
  async function mounted(page: ReactNode, rendered: string[]) {
    const { act } = await import("react");
    const { createRoot } = await import("react-dom/client");
    const root = createRoot(fakeContainer());
    const during = async (action: () => void): Promise<string[]> => {
      rendered.length = 0;
      await act(async () => action());
      return [...rendered];
    };
    await during(() => root.render(page));
    return { during, unmount: () => during(() => root.unmount()) };
  }
  const storeOf = <T>() => createPatchStore<T>({ schedule: (show) => show() });

  test("shows one fallback while there is no value, another until it is complete, and then the value", async () => {
    const store = storeOf<{ title: string; steps: string[] }>();
    const rendered: string[] = [];
    const page = createElement(TitlePage, { of: store.select("/title"), rendered });
    expect(renderToStaticMarkup(page)).toBe("<h1>nothing</h1>");
    const { during, unmount } = await mounted(page, rendered);
    const apply = (...patch: AnyPatchOperation[]) => during(() => store.apply(patch));
    expect(await apply({ op: "replace", path: "", value: { title: "Te" } })).toEqual(["Te…"]);
    expect(await apply({ op: "append", path: "/title", value: "a" })).toEqual(["Tea…"]);
    expect(await apply({ op: "add", path: "/steps", value: [] })).toEqual(["Tea!"]);
    expect(await apply({ op: "add", path: "/steps/0", value: "Boil" })).toEqual([]);
    expect(await during(() => store.reset())).toEqual([]);
    expect(await apply({ op: "replace", path: "", value: { title: "Soup", steps: [] } })).toEqual(["Soup!"]);
    expect(await unmount()).toEqual([]);
  });

  // G-wire-11
  test("renders only the elements of a tree that have changed", async () => {
    const store = storeOf<FlatSpec>();
    const rendered: string[] = [];
    const { during } = await mounted(createElement(StrictMode, null, treePage(store, rendered)), rendered);
    const apply = async (...patch: AnyPatchOperation[]): Promise<string[]> => [
      ...new Set(await during(() => store.apply(patch))),
    ];
    const elements = { a: { text: "A", children: ["b", "c"] }, b: { text: "B" }, c: { text: "C" } };
    expect(await apply({ op: "replace", path: "", value: { root: "a", elements } })).toEqual(["a", "b", "c"]);
    expect(await apply({ op: "append", path: "/elements/b/text", value: "!" })).toEqual(["b", "c"]); // c is complete
    expect(await apply({ op: "append", path: "/elements/b/text", value: "!" })).toEqual(["b"]);
    expect(await apply({ op: "add", path: "/elements/a/children/-", value: "d" })).toEqual(["a", "b"]);
    expect(await apply({ op: "add", path: "/elements/d", value: { text: "D" } })).toEqual(["a", "d"]);
    expect(await apply({ op: "remove", path: "/elements/c" })).toEqual([]);
    expect(await apply({ op: "move", from: "/elements/b", path: "/elements/c" })).toEqual(["c"]);
    expect(await apply({ op: "replace", path: "/root", value: "d" })).toEqual(["d"]);
  });

  test("of 2,000 elements renders the one that a patch changes", async () => {
    const store = storeOf<FlatSpec>();
    const rendered: string[] = [];
    const { during } = await mounted(treePage(store, rendered), rendered);
    const children = Array.from({ length: 2_000 }, (_, i) => `e${i}`);
    const elements = Object.fromEntries(children.map((name) => [name, { text: name }]));
    const first = await during(() =>
      store.apply([
        {
          op: "replace",
          path: "",
          value: { elements: { ...elements, a: { text: "A", children } }, root: "a" },
        },
      ]),
    );
    expect(first).toHaveLength(2_001);
    for (const name of ["e0", "e1999", "e700"])
      expect(
        await during(() => store.apply([{ op: "replace", path: `/elements/${name}/text`, value: "new" }])),
      ).toContain(name);
    expect(
      await during(() => store.apply([{ op: "append", path: "/elements/e700/text", value: "er" }])),
    ).toEqual(["e700"]);
  });
});
