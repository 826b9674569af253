/** A run that shows one thing, started by one click. */
export interface Story {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  /** The sample to play. */
  readonly sample: string;
  /** The connection is cut after this many chunks. */
  readonly cutAfter?: number;
}

export const stories: readonly Story[] = [
  {
    id: "dashboard",
    title: "A model builds a dashboard",
    caption:
      "Each component appears with its first character. One line is repaired. Another breaks its component's schema: it is taken back and reported, and the rest continues. After 250 chunks the connection is lost, and resumes.",
    sample: "A dashboard, line by line",
    cutAfter: 250,
  },
  {
    id: "wrong-answer",
    title: "A wrong answer stops early",
    caption:
      "The model gives 11 stars of 5. The schema is checked while it writes, so it is stopped at that digit. Parsed again and again, the page shows a wrong rating and waits for the rest.",
    sample: "Breaks its schema",
  },
  {
    id: "lost-connection",
    title: "Lose the connection",
    caption:
      "After 60 chunks the page's connections are cut. The run continues on the server. The page reconnects with the number of its last event and receives only what it missed.",
    sample: "A recipe",
    cutAfter: 60,
  },
  {
    id: "bad-json",
    title: "A model that writes bad JSON",
    caption:
      "Comments, single quotes, True and None, missing commas and closers. Each mistake is repaired as soon as it is certain, and reported. Parsed as a whole, the text gives nothing: not in between, and not at the end.",
    sample: "Nearly JSON, to be repaired",
  },
];
