/** The examples of docs/reference/client.md, which `documented()` of ../support/documented.ts inserts into a page. */
declare module "docs:svelte" {
  import type { PatchStore } from "millrace/client";
  import type { Component } from "svelte";
  const component: Component<{ store: PatchStore<unknown> }>;
  export default component;
}

declare module "docs:vue" {
  import type { PatchState, PatchStore } from "millrace/client";
  import type { ShallowRef } from "vue";
  export function useStore<T>(store: PatchStore<T>): ShallowRef<PatchState<T>>;
}

declare module "docs:solid-js" {
  import type { PatchState, PatchStore } from "millrace/client";
  import type { Accessor } from "solid-js";
  export function useStore<T>(store: PatchStore<T>): Accessor<PatchState<T>>;
}

declare module "docs:chat" {
  import type { ReactNode } from "react";

  export function Chat(properties: { readonly id: string }): ReactNode;
}

declare module "docs:use-chat" {
  import type { UiMessage } from "millrace/serve";
  import type { ReactNode } from "react";

  export function Chat(properties: { readonly id: string; readonly messages: UiMessage[] }): ReactNode;
}
