/** The parts of other packages that the page uses. Their own declarations do not compile under the flags of this project. */
declare module "peer:@ai-sdk/react" {
  export function experimental_useObject(options: { readonly api: string; readonly schema: unknown }): {
    readonly object: { readonly texts?: readonly (string | undefined)[] } | undefined;
    readonly submit: (input: unknown) => void;
  };
}
declare module "peer:@json-render/react" {
  import type { ReactNode } from "react";

  export function JSONUIProvider(properties: {
    readonly registry: unknown;
    readonly children: ReactNode;
  }): ReactNode;
  export function Renderer(properties: { readonly spec: unknown; readonly registry: unknown }): ReactNode;
  export function useUIStream(options: { readonly api: string }): {
    readonly spec: unknown;
    readonly send: (prompt: string) => Promise<void>;
  };
}
