import { lastQuestion, type StandIn } from "../support/connect.js";

/** Knows two people, and says of everybody else that it is the first of them. */
export const standIn: StandIn = (request) => ({
  content: JSON.stringify(/hopper/i.test(lastQuestion(request)) ? hopper : lovelace),
});

const lovelace = {
  name: "Ada Lovelace",
  born: 1815,
  field: "mathematics",
  works: [
    { title: "Translation of Menabrea's sketch of the Analytical Engine", year: 1843 },
    { title: "Notes on the Analytical Engine", year: 1843 },
  ],
};

const hopper = {
  name: "Grace Hopper",
  born: 1906,
  field: "engineering",
  works: [
    { title: "The Education of a Computer", year: 1952 },
    { title: "Automatic Coding for Digital Computers", year: 1955 },
  ],
};
