import type { JsonObject } from "millrace/json";

/** The prompt for a model that builds the dashboard. */
export const dashboardPrompt =
  "Build a dashboard for four small cafés: the week's figures, a chart of orders by day, a table of what sold best, and what to do next.";

const text = { type: "string" };
const component = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** The components that the page knows: for each, the schema of its properties. */
export const dashboardComponents: JsonObject = {
  Page: component({ title: text, subtitle: text }, ["subtitle"]),
  Row: component({}),
  Text: component({ text }),
  Metric: component({ label: text, value: text, change: { type: "number", description: "In percent" } }, [
    "change",
  ]),
  Chart: component({
    title: text,
    bars: { type: "array", items: component({ label: text, value: { type: "number", minimum: 0 } }) },
  }),
  Table: component({
    title: text,
    columns: { type: "array", items: text },
    rows: { type: "array", items: { type: "array", items: { type: ["string", "number"] } } },
  }),
  List: component({ title: text, items: { type: "array", items: text } }),
};

/** A SpecStream as a model writes it, with one line that can be repaired, and one that cannot. */
export const dashboardText = `Here is your dashboard.

{"op":"add","path":"/root","value":"page"}
{"op":"add","path":"/elements/page","value":{"type":"Page","props":{"title":"Harbour Coffee","subtitle":"Week 47, four cafés"},"children":["figures","summary","days","sold","next"]}}
{"op":"add","path":"/elements/figures","value":{"type":"Row","props":{},"children":["revenue","orders","guests","wait"]}}
{"op":"add","path":"/elements/revenue","value":{"type":"Metric","props":{"label":"Revenue","value":"€ 48.3k","change":12.4},"children":[]}}
{"op":"add","path":"/elements/orders","value":{"type":"Metric","props":{"label":"Orders","value":"7,214","change":8.1},"children":[]}}
{"op":"add","path":"/elements/guests","value":{"type":"Metric","props":{label: 'Regulars', "value":"41 %","change":3.5,},"children":[]}}
{"op":"add","path":"/elements/wait","value":{"type":"Metric","props":{"label":"Noon wait","value":"4 min","change":-18},"children":[]}}
{"op":"add","path":"/elements/summary","value":{"type":"Text","props":{"text":"The best week since the summer. The second machine at the pier halved the queue, and half of Saturday's guests had been here before."},"children":[]}}
{"op":"add","path":"/elements/days","value":{"type":"Chart","props":{"title":"Orders by day","bars":[{"label":"Mon","value":812},{"label":"Tue","value":1190},{"label":"Wed","value":"quite a few, I think"},{"label":"Thu","value":955}]},"children":[]}}
That bar must be a number. Once more:
{"op":"add","path":"/elements/days","value":{"type":"Chart","props":{"title":"Orders by day","bars":[{"label":"Mon","value":812},{"label":"Tue","value":1190},{"label":"Wed","value":904},{"label":"Thu","value":955},{"label":"Fri","value":1103},{"label":"Sat","value":1388},{"label":"Sun","value":862}]},"children":[]}}
{"op":"add","path":"/elements/sold","value":{"type":"Table","props":{"title":"What sold best","columns":["Item","Sold","Share"],"rows":[["Flat white",2140,"30 %"],["Filter coffee",1310,"18 %"],["Cardamom bun",1275,"18 %"]]},"children":[]}}
{"op":"add","path":"/elements/next","value":{"type":"List","props":{"title":"What to do next","items":["Bake forty more cardamom buns for Saturday: they were gone by eleven.","Move one barista from the market to the pier between twelve and two.","Ask returning guests what would bring them in on a Monday."]},"children":[]}}`;
