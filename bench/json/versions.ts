import { readFileSync } from "node:fs";

const packages = ["jsonriver", "partial-json", "@streamparser/json", "stream-json", "@langchain/core", "ai"];

/** The installed versions of the other libraries. */
export function peerVersions(): string {
  return packages
    .map((name) => {
      const text = readFileSync(`node_modules/${name}/package.json`, "utf8");
      return `${name} ${(JSON.parse(text) as { readonly version: string }).version}`;
    })
    .join(", ");
}
