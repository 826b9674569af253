/** The suites, for `npm run bench -- --help`, which imports none of them. */
export const topics = {
  summary: "one table of the ratios that decide, with their goals: five minutes; the default",
  json: "JSON: every reader, document and size",
  regimes: "JSON in real programs: after collections, many streams at once, cold, wide",
  models: "from the bytes of a provider to messages",
  parsers: "elements of arrays, lists, tool calls, XML",
  agent: "the overhead of an agent for each token, and a whole answer",
  serve: "1,000 streams at once, and bytes on the wire",
  stream: "stages, and pipelines of them",
  cold: "how long imports and the command take in a new process",
};
