import { providerStrategy, toolStrategy } from "millrace/agent";
import { productRating, weather } from "../schemas.js";
import { calls, type Example, says } from "./example.js";

/** The agent has a tool as well. */
export const besideTools: readonly Example[] = [
  {
    name: "a tool call, then the structured response",
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
    name: "a tool call, then the structured response as text",
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
    name: "a tool call and the structured response in one message: the tool runs, and both calls are answered",
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
    name: "a tool call and an invalid structured response in one message: the tool runs, and both calls are answered",
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
