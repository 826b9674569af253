import fc from "fast-check";

/** What one connection sends. */
export interface RawRequests {
  /** As characters up to U+00FF, each of them a byte. */
  readonly text: string;
  /** The text is sent in this many parts. */
  readonly parts: number;
  /**
   * What follows the text. `end`: the client sends nothing more, and reads. `answer`: the same, and it keeps its side open. `wait`: it reads for a moment, and
   * disconnects. `destroy`: it disconnects at once.
   */
  readonly then: "end" | "answer" | "wait" | "destroy";
}

/** Requests as they should and should not be: valid, invalid, flooded with headers, pipelined, or only half sent. */
export function rawRequests(): fc.Arbitrary<RawRequests> {
  const requests = fc.array(request, { minLength: 1, maxLength: 3 }).map((texts) => texts.join(""));
  const half = fc
    .tuple(requests, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([text, part]) => text.slice(0, text.length * part));
  return fc.record({
    text: fc.oneof({ weight: 8, arbitrary: requests }, half, bytes(200)),
    parts: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 5 })),
    then: fc.oneof({ weight: 5, arbitrary: fc.constant("end" as const) }, fc.constantFrom("wait", "destroy")),
  });
}

/** Mostly the usual: a request with one oddity tests more than one with many. */
function mostly(usual: readonly string[], odd: fc.Arbitrary<string>, weight = 20): fc.Arbitrary<string> {
  return fc.oneof({ weight, arbitrary: fc.constantFrom(...usual) }, odd);
}

function bytes(maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength }).map((all) => String.fromCharCode(...all));
}

const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

const method = mostly(
  ["GET", "POST", "POST", "DELETE"],
  fc.oneof(fc.constantFrom("PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "M-SEARCH", "get"), printable),
  8,
);
const target = mostly(
  ["/", "/runs/1", "/recipe", "/page.js", "/agent", "/?x=1#y"],
  fc.oneof(
    fc.constantFrom(
      "//",
      "//evil.example/",
      "*",
      "?x",
      "/%zz",
      "/\\..\\",
      "http://localhost/",
      "http://a@b/",
      "http://",
    ),
    fc.constantFrom("https://localhost:99999/x", "ftp://x/", "a:1", `/${"x".repeat(20_000)}`),
    printable.map((text) => `/${text}`),
    bytes(20).map((text) => `/${text}`),
  ),
  6,
);
const version = mostly(["HTTP/1.1", "HTTP/1.1", "HTTP/1.0"], fc.constantFrom("HTTP/2.0", "HTTP/9", "", "X"));
const host = mostly(
  ["localhost", "127.0.0.1:80", "[::1]:1", "a_b.c"],
  fc.oneof(
    fc.constantFrom(
      "",
      " ",
      "a@b",
      ":@b",
      "a b",
      "a/b",
      "a?b",
      "a#b",
      "a\\b",
      "a:b",
      "a:99999",
      "[",
      "%",
      "%zz",
      "\xe9",
    ),
    printable,
    bytes(10),
  ),
  3,
);

const content = mostly(
  [
    "{}",
    '{"dish": "tea"}',
    '{"of": "leeks"}',
    '{"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "user", "content": "Hi"}]}',
    '{"messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "Hi"}]}]}',
    "",
  ],
  fc.oneof(
    fc.json(),
    bytes(50),
    fc.constantFrom(
      "[".repeat(50_000),
      '{"__proto__": {"messages": []}}',
      '"\\ud800"',
      "x".repeat(1_100_000),
    ),
  ),
);

const header = fc.tuple(
  mostly(
    ["Origin", "Last-Event-ID", "Cookie", "Access-Control-Request-Headers", "X-Own"],
    fc.oneof(fc.constantFrom("Connection", "Upgrade", "Expect", "TE", "__proto__", ":path"), printable),
    6,
  ),
  mostly(
    ["http://localhost", "null", "1-x", "close"],
    fc.oneof(fc.constantFrom("100-continue", "h2c", "upgrade"), bytes(9)),
    6,
  ),
);
const flood = fc.constantFrom("X: y\r\n".repeat(2_500), `X: ${"y".repeat(20_000)}\r\n`);

const request = fc
  .record({
    line: fc.tuple(method, target, version).map((parts) => parts.join(" ")),
    hosts: fc.oneof({ weight: 20, arbitrary: fc.tuple(host) }, fc.array(host, { maxLength: 2 })),
    type: mostly(["application/json"], fc.constantFrom("text/plain", "multipart/form-data", "")),
    headers: fc.array(header, { maxLength: 3 }),
    flood: fc.oneof({ weight: 40, arbitrary: fc.constant("") }, flood),
    content,
    length: fc.oneof(
      { weight: 20, arbitrary: fc.constant("right") },
      fc.constantFrom(
        "none",
        "chunked",
        "wrongly chunked",
        "0",
        "-1",
        "7",
        "1e3",
        "99999999999999999999",
        "2, 2",
      ),
    ),
    lineEnd: fc.oneof({ weight: 40, arbitrary: fc.constant("\r\n") }, fc.constantFrom("\n", "\r", "\r\n ")),
  })
  .map(({ line, hosts, type, headers, flood, content, length, lineEnd }) => {
    const [framing, body] = framed(content, length);
    const lines = [
      line,
      ...hosts.map((name) => `Host: ${name}`),
      `Content-Type: ${type}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...framing,
    ];
    return `${lines.join(lineEnd)}\r\n${flood}\r\n${body}`;
  });

/** The headers that say where the body ends, and the body. */
function framed(content: string, length: string): [headers: string[], body: string] {
  switch (length) {
    case "none":
      return [[], content];
    case "right":
      return [[`Content-Length: ${content.length}`], content];
    case "chunked":
      return [["Transfer-Encoding: chunked"], `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`];
    case "wrongly chunked":
      return [["Transfer-Encoding: chunked", "Content-Length: 3"], `zz\r\n${content}\r\n0\r\n\r\n`];
    default:
      return [[`Content-Length: ${length}`], content];
  }
}
