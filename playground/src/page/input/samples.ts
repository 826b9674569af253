import type { JsonObject } from "millrace/json";
import { recipeSchema, recipeText } from "../../recipe.js";
import type { Chunking, Format } from "../../protocol.js";
import { dashboardComponents, dashboardText } from "./dashboard-sample.js";

/** A sample document for the form. */
export interface Sample {
  readonly name: string;
  readonly text: string;
  /** Default: `json`. */
  readonly format?: Format;
  /** The schema in the form of `RunRequest`. */
  readonly schema?: JsonObject;
  readonly chunking: Chunking;
}

const tokens: Chunking = { by: "tokens", seed: 1 };

const contacts = {
  contacts: [
    {
      name: "Ada Lovelace",
      role: "analyst",
      since: 1833,
      languages: ["en", "fr"],
      active: true,
      note: "Notes on the Analytical Engine: longer than what they annotate.",
    },
    {
      name: "Grace Hopper",
      role: "admiral",
      since: 1943,
      languages: ["en"],
      active: true,
      note: "Keeps a nanosecond on the desk: thirty centimetres of wire.",
    },
    { name: "Annie Easley", role: "engineer", since: 1955, languages: ["en"], active: false, note: null },
    {
      name: "Karen Spärck Jones",
      role: "linguist",
      since: 1957,
      languages: ["en", "no"],
      active: true,
      note: "A term counts for more when fewer documents have it.",
    },
  ],
  total: 4,
};

const contactsSchema: JsonObject = {
  title: "Contacts",
  type: "object",
  required: ["contacts", "total"],
  properties: {
    contacts: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "role"],
        properties: {
          name: { type: "string" },
          role: { enum: ["analyst", "admiral", "engineer", "linguist"] },
          since: { type: "integer" },
          languages: { type: "array", items: { type: "string" } },
          active: { type: "boolean" },
          note: { type: ["string", "null"] },
        },
      },
    },
    total: { type: "integer" },
  },
};

const modelText = `<think>
The user wants a packing list as JSON. Weight in grams: {"boots": 1200}? No, only what goes into the bag.
</think>
Here is a list for three days in the hills:

\`\`\`json
{
  "title": "Three days in the hills",
  "bag": { "litres": 38, "weight": 6400 },
  "items": [
    { "name": "Tent, two poles", "grams": 1380, "shared": true },
    { "name": "Sleeping bag, down", "grams": 790, "shared": false },
    { "name": "Stove and one small can", "grams": 410, "shared": true },
    { "name": "Map, 1:25 000", "grams": 60, "shared": true }
  ],
  "advice": "Put what you need first on top. A fence in here, \`\`\`, ends nothing: it is text."
}
\`\`\`

Shall I add a menu?`;

const nearlyJson = `{
  // what a model writes when it has read too much Python
  title: 'The Mill Race',
  "year": +1874,
  "inPrint": True,
  "translator": None,
  "tags": ["river", "weir",, "wheel",],
  "quote": “The water is never the same, the wheel is.”,
  "path": "C:\\mill\\wheel",
  "chapters": [
    {"no": 1, "title": "The "head" of water"}
    {"no": 2, "title": "Stones",}
  ],
  "end": "the closers are missing"`;

/** A model's usual mistakes, and numbers that a parser of the text so far shows too early. */
const marketText = `{
  "title": "Saturday market",
  "visitors": 1284,
  "takings": 2317.5,
  "summary": "The best Saturday since May: the rye was gone by eleven, and the second oven paid for itself.",
  "bestSellers": ["Rye bread, 64 loaves", "Oat biscuits, 118 bags", "Flour of the week, 90 kg"],
  // The prices are from the blackboard.
  "prices": [
    {"item": "Rye bread", "euro": 4.8,},
    {"item": 'Oat biscuits', "euro": 3.25}
    {item: "Flour, 5 kg", "euro": 11.9}
  ],
  "rain": False,
  "next": [
    "Bake twenty more rye loaves for Saturday.",
    "Ask who took the scales."
`;

const week = Array.from(
  { length: 28 },
  (_, i) =>
    `Day ${i + 1}. The water stood ${31 + ((i * 7) % 13)} cm over the sill at six, and the wheel made ${9 + ((i * 5) % 4)} turns a minute. We ground ${180 + ((i * 37) % 90)} kg, and the stones were ${["cool", "warm", "warm at the eye", "dressed again"][i % 4] ?? ""}.`,
);
const longString = JSON.stringify({
  title: "The miller's log",
  log: week.join("\n\n"),
  signed: "H. Wheeler",
});

const reviewSchema: JsonObject = {
  title: "Review",
  type: "object",
  required: ["product", "stars", "verdict"],
  additionalProperties: false,
  properties: {
    product: { type: "string" },
    pros: { type: "array", items: { type: "string" } },
    stars: { type: "integer", minimum: 1, maximum: 5 },
    verdict: { enum: ["buy", "wait", "avoid"] },
    summary: { type: "string" },
  },
};

const brokenReview = JSON.stringify(
  {
    product: "Hand mill, cast iron",
    pros: ["Grinds as fine as flour", "Every part can be bought again", "Sounds like a small train"],
    stars: 11,
    verdict: "buy",
    summary:
      "None of this is read: eleven stars can never become five, so the model is stopped at that digit, and what it would have gone on to write is not paid for.",
  },
  null,
  2,
);

export const samples: readonly Sample[] = [
  { name: "A market day, nearly JSON", text: marketText, chunking: { by: "characters", size: 3 } },
  { name: "A recipe", text: recipeText, schema: recipeSchema, chunking: tokens },
  { name: "Contacts", text: JSON.stringify(contacts, null, 2), schema: contactsSchema, chunking: tokens },
  { name: "Prose, <think> and a fence", text: modelText, chunking: { by: "words" } },
  { name: "Nearly JSON, to be repaired", text: nearlyJson, chunking: tokens },
  { name: "A long string", text: longString, chunking: { by: "characters", size: 4 } },
  {
    name: "A dashboard, line by line",
    text: dashboardText,
    format: "spec",
    schema: dashboardComponents,
    chunking: tokens,
  },
  { name: "Breaks its schema", text: brokenReview, schema: reviewSchema, chunking: tokens },
];
