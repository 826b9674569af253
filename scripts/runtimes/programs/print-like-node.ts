// Bun and Deno show objects in styles of their own. What is compared is what an example prints, not how a console shows
// it.
import process from "node:process";
import { format } from "node:util";

console.log = (...args: readonly unknown[]): void => {
  process.stdout.write(`${format(...args)}\n`);
};
