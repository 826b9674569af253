/**
 * A page with React that shows `/events`. Its clock is a hundred times as fast: half a second is 5 ms. `?idle=` is the
 * idle limit of a connection in that time, `?retries=` the number of retries.
 */
import { ClientError, createPatchStore, type FromEventStreamOptions } from "millrace/client";
import { JsonPatchError } from "millrace/json";
import { useObject } from "millrace/react";
import { createElement, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { hasty } from "./hasty.js";
import { probe, rendered } from "./probe.js";

interface Recipe {
  title: string;
  steps: string[];
}

const store = createPatchStore<Recipe>();
store.subscribe(({ value }) => probe.shown.push(JSON.stringify(value ?? null)));

const asked = new URLSearchParams(location.search);
const options: FromEventStreamOptions = {
  timeouts: { idle: Number(asked.get("idle") ?? Infinity) },
  maxRetries: Number(asked.get("retries") ?? 5),
  onEvent: (event) => {
    if (event.type === "patch") probe.ids.push(event.id);
    if (event.type === "retry") probe.retries++;
  },
  clock: hasty(100),
};

function Title(): ReactNode {
  rendered("title");
  return createElement(
    "h1",
    null,
    useObject(store, ({ value }) => value?.title),
  );
}

function Steps(): ReactNode {
  rendered("steps");
  const steps = useObject(store, ({ value }) => value?.steps);
  return createElement("ol", null, ...(steps ?? []).map((step) => createElement("li", null, step)));
}

function Status(): ReactNode {
  rendered("status");
  const status = useObject(store, (state) => state.status);
  const error = useObject(store, (state) => state.error);
  return createElement("output", null, status, ": ", describe(error));
}

function describe(error: unknown): string {
  if (error instanceof ClientError) return `ClientError ${error.code} ${error.reason ?? ""}`;
  if (error instanceof JsonPatchError) return `JsonPatchError ${error.code}`;
  return error === undefined ? "" : "another error";
}

function again(): void {
  void store.connect("/events", options);
}

createRoot(document.querySelector("main") as Element).render(
  createElement(
    "article",
    null,
    createElement(Title),
    createElement(Steps),
    createElement(Status),
    createElement("button", { onClick: again }, "Again"),
  ),
);
again();
