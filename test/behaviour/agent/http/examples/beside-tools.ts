import { providerStrategy, toolStrategy } from "millrace";
import { productRating, weather } from "../schemas.js";
import { calls, type Example, says } from "./example.js";

/** There are other tools as well. */
export const besideTools: readonly Example[] = [
  {
    name: "a tool is called first, and the structured response comes then",
    options: { tools: [weather], responseFormat: toolStrategy(productRating) },
    answers: [
      calls("c1", "weather", { city: "Oslo" }),
      calls("c2", "ProductRating", { rating: 2, comment: "Cold" }),
    ],
    conversation: [
      ['c1 = weather({"city":"Oslo"})', "c1: Oslo: -4 °C"],
      [
        'c2 = ProductRating({"rating":2,"comment":"Cold"})',
        'c2: Returning structured response: {"rating":2,"comment":"Cold"}',
      ],
    ],
    response: { rating: 2, comment: "Cold" },
  },
  {
    name: "a tool is called first, and the structured response comes as text then",
    options: { tools: [weather], responseFormat: providerStrategy(productRating) },
    answers: [
      { content: "I look.", toolCalls: [{ id: "c1", name: "weather", arguments: '{"city":"Oslo"}' }] },
      says('{"rating": 2, "comment": "Cold"}'),
    ],
    conversation: [
      ["assistant: I look.", 'c1 = weather({"city":"Oslo"})', "c1: Oslo: -4 °C"],
      ['assistant: {"rating": 2, "comment": "Cold"}'],
    ],
    response: { rating: 2, comment: "Cold" },
    asText: true,
  },
  {
    name: "a tool that is called beside the structured response runs, and both are answered",
    options: { tools: [weather], responseFormat: toolStrategy(productRating) },
    answers: [
      {
        toolCalls: [
          { id: "c1", name: "weather", arguments: '{"city":"Oslo"}' },
          { id: "c2", name: "ProductRating", arguments: '{"rating":2,"comment":"Cold"}' },
        ],
      },
    ],
    conversation: [
      [
        'c1 = weather({"city":"Oslo"})',
        'c2 = ProductRating({"rating":2,"comment":"Cold"})',
        "c1: Oslo: -4 °C",
        'c2: Returning structured response: {"rating":2,"comment":"Cold"}',
      ],
    ],
    response: { rating: 2, comment: "Cold" },
  },
  {
    name: "a tool that is called beside a wrong structured response runs, and both are answered",
    options: { tools: [weather], responseFormat: toolStrategy(productRating, { handleError: "Once more." }) },
    answers: [
      {
        toolCalls: [
          { id: "c1", name: "weather", arguments: '{"city":"Oslo"}' },
          { id: "c2", name: "ProductRating", arguments: '{"rating":0,"comment":"Cold"}' },
        ],
      },
      calls("c3", "ProductRating", { rating: 1, comment: "Cold" }),
    ],
    conversation: [
      [
        'c1 = weather({"city":"Oslo"})',
        'c2 = ProductRating?({"rating":0,"c)',
        "c1: Oslo: -4 °C",
        "c2 failed: Once more.",
      ],
      [
        'c3 = ProductRating({"rating":1,"comment":"Cold"})',
        'c3: Returning structured response: {"rating":1,"comment":"Cold"}',
      ],
    ],
    response: { rating: 1, comment: "Cold" },
  },
];
