import { experimental_useObject as useAiObject } from "peer:@ai-sdk/react";
import { JSONUIProvider, Renderer, useUIStream } from "peer:@json-render/react";
import { createPatchStore } from "millrace/client";
import { Streamed } from "millrace/react";
import { memo, type ReactNode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { z } from "zod";
import { feed } from "./feed.js";
import type { Figures, RenderingRun } from "./figures.js";

/** The same page, with `count` components, in three libraries. The fetches of each are answered by a feed. */

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `e${i}`);
let renders = 0;

const Leaf = memo(({ text }: { readonly text: string }) => {
  renders++;
  return <p>{text}</p>;
});

interface FlatSpec {
  readonly root: string;
  readonly elements: Readonly<Record<string, { type: string; props: { text: string }; children: string[] }>>;
}

function specOf(count: number): FlatSpec {
  const leaves = names(count).map((name) => [name, { type: "Text", props: { text: name }, children: [] }]);
  const root = { type: "List", props: { text: "" }, children: names(count) };
  return { root: "root", elements: { ...(Object.fromEntries(leaves) as FlatSpec["elements"]), root } };
}

/** Another component each time. */
const nameAt = (at: number, count: number): string => `e${(at * 7) % count}`;

const millrace = (count: number): ReactNode => {
  const store = createPatchStore<FlatSpec>();
  const event = (id: number, patch: unknown): string => `id: ${id}\ndata: ${JSON.stringify(patch)}\n\n`;
  const body = feed(event(1, [{ op: "replace", path: "", value: specOf(count) }]), (at) =>
    event(at + 2, [{ op: "append", path: `/elements/${nameAt(at, count)}/props/text`, value: "." }]),
  );
  void store.connect(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  const Element = memo(({ name }: { readonly name: string }) => (
    <Streamed of={store.select(`/elements/${name}/props/text`)}>{(text) => <Leaf text={text} />}</Streamed>
  ));
  return (
    <Streamed of={store.select("/elements/root/children")}>
      {(children) => children.map((name) => <Element key={name} name={name} />)}
    </Streamed>
  );
};

const jsonRender = (count: number): ReactNode => {
  const line = (operation: unknown): string => `${JSON.stringify(operation)}\n`;
  const { root, elements } = specOf(count);
  const texts = names(count)
    .fill("")
    .map((_, i) => `e${i}`);
  const first = Object.entries(elements).map(([name, value]) =>
    line({ op: "add", path: `/elements/${name}`, value }),
  );
  answer(() =>
    feed(line({ op: "add", path: "/root", value: root }) + first.join(""), (at) => {
      const index = (at * 7) % count;
      texts[index] = `${texts[index] ?? ""}.`;
      return line({ op: "replace", path: `/elements/e${index}/props/text`, value: texts[index] });
    }),
  );
  const registry = {
    List: ({ children }: { readonly children?: ReactNode }) => <div>{children}</div>,
    Text: ({ element }: { readonly element: { readonly props: { readonly text?: string } } }) => (
      <Leaf text={element.props.text ?? ""} />
    ),
  } as never;
  const Page = (): ReactNode => {
    const { spec, send } = useUIStream({ api: "/spec" });
    useEffect(() => void send("go"), []);
    return (
      <JSONUIProvider registry={registry}>
        <Renderer spec={spec} registry={registry} />
      </JSONUIProvider>
    );
  };
  return <Page />;
};

const aiSdk = (count: number): ReactNode => {
  const text = JSON.stringify({ texts: names(count) });
  answer(() => feed(text.slice(0, -3), () => "."));
  const Page = (): ReactNode => {
    const { object, submit } = useAiObject({
      api: "/object",
      schema: z.object({ texts: z.array(z.string()) }),
    });
    useEffect(() => submit({}), []);
    return object?.texts?.map((one, index) => <Leaf key={index} text={one ?? ""} />);
  };
  return <Page />;
};

function answer(body: () => ReadableStream<Uint8Array>): void {
  globalThis.fetch = async () => new Response(body(), { headers: { "content-type": "text/plain" } });
}

const pages = { millrace, jsonRender, aiSdk };

/** Shows a page, and measures it while it changes. */
async function measure({ library, count, perSecond, seconds }: RenderingRun): Promise<Figures> {
  createRoot(document.querySelector("main") as Element).render(pages[library](count));
  while (document.querySelectorAll("p").length < count) await pause(50);
  await pause(500);
  const longTasks: number[] = [];
  new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  ).observe({
    type: "longtask",
  });
  renders = 0;
  let frames = 0;
  const start = performance.now();
  feed.rate = perSecond;
  let last = start;
  let longest = 0;
  while (last - start < seconds * 1_000) {
    const now = await nextFrame();
    frames++;
    longest = Math.max(longest, now - last);
    last = now;
  }
  feed.rate = 0;
  const took = (performance.now() - start) / 1_000;
  const { sent } = feed;
  await pause(500);
  return {
    framesPerSecond: frames / took,
    longestFrame: longest,
    longTasks: longTasks.length,
    longTime: longTasks.reduce((sum, one) => sum + one, 0),
    patches: sent,
    renders,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((go) => {
    setTimeout(go, ms);
  });
}

function nextFrame(): Promise<number> {
  return new Promise((go) => {
    requestAnimationFrame(go);
  });
}

Object.assign(globalThis, { measure });
