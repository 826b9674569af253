import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createPatchStore, type PatchStore } from "millrace/client";
import { useStructured } from "millrace/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeContainer, installFakeDom } from "./fake-dom.js";

interface Recipe {
  title: string;
  steps: string[];
}

/** A store that shows each patch at once. */
const newStore = (): PatchStore<Recipe> => createPatchStore<Recipe>({ schedule: (show) => show() });

describe("useStructured()", () => {
  let uninstall: () => void;
  beforeAll(() => {
    uninstall = installFakeDom();
  });
  afterAll(() => {
    uninstall();
  });

  // G-wire-11
  test("renders a component only when its selection changes", async () => {
    const { act } = await import("react");
    const { createRoot } = await import("react-dom/client");
    const store = newStore();
    const rendered: string[] = [];
    const Title = (): ReactNode => {
      rendered.push(`title ${String(useStructured(store, ({ value }) => value?.title))}`);
      return null;
    };
    const Steps = (): ReactNode => {
      rendered.push(`steps ${useStructured(store, ({ value }) => value?.steps)?.length ?? 0}`);
      return null;
    };
    const Last = (): ReactNode => {
      const { last } = useStructured(store, ({ value, status }) => ({ last: value?.steps?.at(-1), status }));
      rendered.push(`last ${String(last)}`);
      return null;
    };
    const root = createRoot(fakeContainer());
    const during = async (action: () => void): Promise<string[]> => {
      rendered.length = 0;
      await act(async () => action());
      return [...rendered];
    };
    const page = createElement("div", null, createElement(Title), createElement(Steps), createElement(Last));
    expect(await during(() => root.render(page))).toEqual(["title undefined", "steps 0", "last undefined"]);
    const whole = { title: "T", steps: [] };
    expect(await during(() => store.apply([{ op: "replace", path: "", value: whole }]))).toEqual([
      "title T",
      "steps 0",
      "last undefined",
    ]);
    expect(await during(() => store.apply([{ op: "append", path: "/title", value: "ea" }]))).toEqual([
      "title Tea",
      "last undefined",
    ]);
    expect(await during(() => store.apply([{ op: "add", path: "/steps/-", value: "boil" }]))).toEqual([
      "steps 1",
      "last boil",
    ]);
    expect(await during(() => root.unmount())).toEqual([]);
    expect(await during(() => store.apply([{ op: "add", path: "/steps/-", value: "pour" }]))).toEqual([]);
  });

  test("returns the value and status of the store during server rendering", () => {
    const store = newStore();
    store.apply([{ op: "replace", path: "", value: { title: "Tea" } }]);
    const Page = (): ReactNode => {
      const { value, status } = useStructured(store);
      return `${String(value?.title)}, ${status}`;
    };
    expect(renderToString(createElement(Page))).toBe("Tea, streaming");
  });
});
