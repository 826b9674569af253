import { handle } from "./handle.js";

declare const Deno: {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      readonly onListen: (address: { readonly port: number }) => void;
    },
    handle: (request: Request) => Promise<Response>,
  ): unknown;
};

Deno.serve(
  {
    port: 0,
    hostname: "127.0.0.1",
    onListen: ({ port }) => {
      console.log(String(port));
    },
  },
  handle,
);
