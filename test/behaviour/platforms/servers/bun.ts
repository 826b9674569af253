import { handle } from "./handle.js";

declare const Bun: {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly fetch: (request: Request) => Promise<Response>;
  }): { readonly port: number };
};

console.log(String(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: handle }).port));
