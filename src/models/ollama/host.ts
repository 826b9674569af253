/**
 * The address that `OLLAMA_HOST` means, which may lack all but the host: `192.168.0.7`, `:11434`, `http://gpu:80`. The
 * server listens on all addresses with `0.0.0.0`, where no client can ask: it is on this machine then.
 */
export function hostAddress(host: string): string {
  const [, scheme, rest = ""] = /^([a-z]+:\/\/)?(.*)$/is.exec(host.trim()) ?? [];
  const [, name = "", port, path = ""] = /^(\[[^\]]*\]|[^:/]*)(:\d+)?(\/.*)?$/s.exec(rest) ?? [
    undefined,
    rest,
  ];
  const server = unspecified.get(name) ?? name;
  // A scheme has a port of its own.
  const defaultPort = scheme === undefined ? ":11434" : "";
  return `${scheme ?? "http://"}${server}${port ?? defaultPort}${path}`;
}

const unspecified: ReadonlyMap<string, string> = new Map([
  ["", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"],
]);
