/** The text with a word in place of each secret. */
export function redact<T extends string | undefined>(text: T, secrets: readonly string[]): T {
  return secrets.reduce<string | undefined>((clean, secret) => clean?.replaceAll(secret, "[key]"), text) as T;
}

/** Whether a value shows one of the secrets, also deep inside: an error of a client may hold the request with its headers. */
export function containsSecret(value: unknown, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  const seen = new Set<unknown>();
  const look = (part: unknown): boolean => {
    if (typeof part === "string") return secrets.some((secret) => part.includes(secret));
    if (typeof part !== "object" || part === null || seen.has(part)) return false;
    if (seen.add(part).size > mostParts) return true; // too much to be sure
    if (part instanceof Map && [...part].some(look)) return true;
    // Not through getters: they may do anything.
    return Reflect.ownKeys(part).some((key) => look(Reflect.getOwnPropertyDescriptor(part, key)?.value));
  };
  return look(value);
}

const mostParts = 10_000;
