import { withParameter } from "../store/requests.js";
import type { ObjectStoreOptions } from "./object-store-options.js";

export function runUrl(api: ObjectStoreOptions["api"], id: string): string | URL {
  if (typeof api === "function") return api(id);
  return withParameter(api, "run", id);
}

/** The name under which the id is kept. */
export function nameOf({ api, key, remember }: Pick<ObjectStoreOptions, "api" | "key" | "remember">): string {
  if (remember === "url") return key ?? "run";
  return `millrace:${key ?? runUrl(api, "")}`;
}
