import { createElement, type ReactNode, StrictMode } from "react";
import { renderToString } from "react-dom/server";
import {
  createObjectStore,
  createPatchStore,
  type PatchStore,
  type StreamedObject,
  type StreamedThread,
  type ThreadClientOptions,
} from "millrace/client";
import { useObject, useThread } from "millrace/react";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeContainer, installFakeDom } from "./fake-dom.js";
import { installPage, recipe, type RunServer, runServer } from "./run-server.js";
import { turn } from "./support.js";

interface Recipe {
  title: string;
  steps: string[];
}

const noop = (): void => undefined;

/** A store that shows each patch at once. */
const newStore = (): PatchStore<Recipe> => createPatchStore<Recipe>({ schedule: (show) => show() });

describe("useObject()", () => {
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
      rendered.push(`title ${String(useObject(store, ({ value }) => value?.title))}`);
      return null;
    };
    const Steps = (): ReactNode => {
      rendered.push(`steps ${useObject(store, ({ value }) => value?.steps)?.length ?? 0}`);
      return null;
    };
    const Last = (): ReactNode => {
      const { last } = useObject(store, ({ value, status }) => ({ last: value?.steps?.at(-1), status }));
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

  test("shows the initial state during server rendering, also of a store with a value", () => {
    const store = newStore();
    store.apply([{ op: "replace", path: "", value: { title: "Tea" } }]);
    const Page = (): ReactNode => {
      const { value, status } = useObject(store);
      return `${String(value?.title)}, ${status}`;
    };
    expect(renderToString(createElement(Page))).toBe("undefined, idle");
  });

  describe("with options", () => {
    let server: RunServer;
    let uninstallPage: () => void;
    let frames: (() => void)[];
    const schedule = (show: () => void): void => void frames.push(show);
    beforeEach(() => {
      frames = [];
      server = runServer();
      uninstallPage = installPage();
    });
    afterEach(() => uninstallPage());

    let shown: StreamedObject<Recipe>;
    const Page = ({ api = "/recipe" }: { readonly api?: string }): ReactNode => {
      shown = useObject({ api, schema: recipe, fetch: server.fetch, schedule });
      return null;
    };
    /** Mounts the page in StrictMode. */
    const mounted = async () => {
      const { act } = await import("react");
      const { createRoot } = await import("react-dom/client");
      const root = createRoot(fakeContainer());
      const render = (api?: string): Promise<void> =>
        act(async () =>
          root.render(createElement(StrictMode, null, createElement(Page, api === undefined ? {} : { api }))),
        );
      await render();
      return { render, unmount: () => act(async () => root.unmount()) };
    };

    test("a message goes to the conversation that it was written in, also if the page shows another one at once", async () => {
      const { act } = await import("react");
      const { createRoot } = await import("react-dom/client");
      const posted: string[] = [];
      for (const name of ["addEventListener", "removeEventListener"]) vi.stubGlobal(name, () => undefined);
      const fetch: ThreadClientOptions["fetch"] = (url, { method }) => {
        if (method === "POST") posted.push(String(url));
        return new Promise(noop);
      };
      let chat: StreamedThread | undefined;
      const Page = ({ id }: { readonly id: string }): ReactNode => {
        chat = useThread({ api: "/chat", id, fetch });
        return null;
      };
      const root = createRoot(fakeContainer());
      await act(async () => root.render(createElement(Page, { id: "1" })));
      await act(async () => {
        chat?.send("Hi");
        root.render(createElement(Page, { id: "2" }));
      });
      for (let turns = 0; turns < 5; turns++) await turn();
      expect(posted).toEqual(["/chat?thread=1"]);
      await act(async () => root.unmount());
      vi.unstubAllGlobals();
    });
    /** Shows frames until the page is as expected. */
    const reached = async (read: () => unknown, expected: unknown): Promise<void> => {
      const { act } = await import("react");
      const look = async (): Promise<unknown> => {
        await turn();
        await act(async () => {
          for (const show of frames.splice(0)) show();
        });
        return read();
      };
      await expect.poll(look, { interval: 1 }).toEqual(expected);
    };
    const titled = (title: string): Promise<void> => reached(() => shown.object?.title, title);

    test("asks the server, and sends one request in StrictMode", async () => {
      const { unmount } = await mounted();
      expect(shown).toMatchObject({ object: undefined, status: "idle" });
      const { submit } = shown;
      submit({ dish: "soup" });
      await turn();
      server.write('{"title": "Soup');
      await titled("Soup");
      expect(shown.submit).toBe(submit);
      await unmount();
      await turn();
      expect([server.requests, server.left]).toEqual([["POST 1"], []]);

      const again = await mounted();
      await titled("Soup");
      shown.stop();
      await expect.poll(() => server.left).toEqual([1]);
      expect(server.requests).toEqual(["POST 1", "GET 1", "DELETE 1"]);
      await again.unmount();
    });

    test("shows another object for another api", async () => {
      const { render, unmount } = await mounted();
      shown.submit();
      await turn();
      server.write('{"title": "Soup');
      await titled("Soup");
      await render("/cake");
      expect(shown).toMatchObject({ object: undefined, status: "idle" });
      await render();
      await titled("Soup");
      expect(server.requests).toEqual(["POST 1", "GET 1"]);
      await unmount();
    });

    test("shares a store between components, each with its part", async () => {
      const { act } = await import("react");
      const { createRoot } = await import("react-dom/client");
      const store = createObjectStore({ api: "/recipe", schema: recipe, fetch: server.fetch, schedule });
      const rendered: string[] = [];
      const Title = (): ReactNode => {
        rendered.push(`title ${String(useObject(store, ({ object }) => object?.title))}`);
        return null;
      };
      const Steps = (): ReactNode => {
        rendered.push(`steps ${useObject(store, ({ progress }) => progress.items)}`);
        return null;
      };
      const root = createRoot(fakeContainer());
      await act(async () =>
        root.render(createElement("div", null, createElement(Title), createElement(Steps))),
      );
      store.submit();
      await turn();
      server.write('{"title": "Soup", "steps": ["Boil", "St');
      await reached(() => rendered, ["title undefined", "steps 0", "title Soup", "steps 1"]);
      await act(async () => root.unmount());
    });
  });
});
