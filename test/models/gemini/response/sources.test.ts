import { describe, expect, test } from "vitest";
import type { Annotation } from "millrace";
import { indexesByByte } from "#src/models/gemini/response/segment-ranges.js";
import { chunksOf, finish, messageOf, parts, text } from "../support.js";

describe("offsets in UTF-8 are converted to UTF-16", () => {
  test.each([
    ["abc", 2, 2],
    ["é€😀x", 2, 1],
    ["é€😀x", 5, 2],
    ["é€😀x", 9, 4],
    ["é€😀x", 10, 5],
    ["é€😀x", 3, undefined],
    ["é€😀x", 11, undefined],
    ["\u07ff\u0800x", 2, 1],
    ["\u07ff\u0800x", 5, 2],
    ["\uffff\u{10000}x", 3, 1],
    ["\uffff\u{10000}x", 7, 3],
    ["\ud83d!", 3, 1],
    ["", 0, 0],
  ])("%s at byte %d is %s", (said, byte, expected) => {
    expect(indexesByByte(said)[byte]).toBe(expected);
  });
});

const web = { web: { uri: "https://a", title: "A", domain: "a" } };
const other = { web: { uri: "https://b", title: "B" } };

async function annotationsOf(
  ...payloads: readonly unknown[]
): Promise<(readonly Annotation[] | undefined)[]> {
  const { content } = await messageOf(...payloads);
  return content.flatMap((block) => (block.type === "text" ? [block.annotations] : []));
}

function grounded(groundingMetadata: object): object {
  return finish("STOP", { groundingMetadata });
}

/** Segments of the answer that one source supports. */
function supports(segments: readonly object[], source: object = web): object {
  return {
    groundingChunks: [source],
    groundingSupports: segments.map((segment) => ({ segment, groundingChunkIndices: [0] })),
  };
}

describe("grounding sources become citations", () => {
  test("with their position, one for each source, when the text is complete", async () => {
    const groundingMetadata = {
      groundingChunks: [web, other],
      groundingSupports: [
        {
          segment: { startIndex: 12, endIndex: 20, text: "Größe!" },
          groundingChunkIndices: [0, 1],
          confidenceScores: [0.9, 0.5],
        },
      ],
      webSearchQueries: ["q"],
    };
    const chunks = await chunksOf([text("Die 😀"), text("😀Größe!"), grounded(groundingMetadata)]);
    expect(chunks.map(({ content }) => content.length)).toEqual([1, 1, 1]);
    expect(chunks[2]?.metadata).toEqual({ groundingMetadata });
    expect(await annotationsOf(text("Die 😀"), text("😀Größe!"), grounded(groundingMetadata))).toEqual([
      [
        {
          type: "citation",
          url: "https://a",
          title: "A",
          startIndex: 8,
          endIndex: 14,
          metadata: { domain: "a", confidenceScore: 0.9 },
        },
        {
          type: "citation",
          url: "https://b",
          title: "B",
          startIndex: 8,
          endIndex: 14,
          metadata: { confidenceScore: 0.5 },
        },
      ],
    ]);
  });

  test.each([
    ["its offsets", { startIndex: 12, endIndex: 18, text: "Größe" }, { startIndex: 8, endIndex: 13 }],
    [
      "its text, if the offsets are wrong",
      { startIndex: 1, endIndex: 2, text: "Größe" },
      { startIndex: 8, endIndex: 13 },
    ],
    ["only its text", { text: "Die" }, { startIndex: 0, endIndex: 3 }],
    ["only its offsets", { endIndex: 3 }, { startIndex: 0, endIndex: 3 }],
  ])("the position is found by %s", async (_, segment, span) => {
    const groundingMetadata = {
      groundingChunks: [web],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    };
    expect(await annotationsOf(text("Die 😀😀Größe"), grounded(groundingMetadata))).toMatchObject([[span]]);
  });

  test.each([
    ["beyond the end", { startIndex: 2, endIndex: 99 }],
    ["inside a character", { startIndex: 5, endIndex: 8 }],
    ["an end before the start", { startIndex: 3, endIndex: 1 }],
    ["an unknown text", { startIndex: 0, endIndex: 3, text: "Der" }],
  ])("an invalid position, %s, is kept in the metadata", async (_, segment) => {
    const groundingMetadata = {
      groundingChunks: [web],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    };
    expect(await annotationsOf(text("Die 😀"), grounded(groundingMetadata))).toEqual([
      [{ type: "citation", url: "https://a", title: "A", metadata: { domain: "a", segment } }],
    ]);
  });

  test("in the block of their position, counted from the block or from the whole answer", async () => {
    const before = parts({ text: "Eins.", thoughtSignature: "s" });
    const support = (segment: object): object => ({
      groundingChunks: [web],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    });
    for (const segment of [
      { startIndex: 0, endIndex: 5, text: "Zwei." },
      { startIndex: 5, endIndex: 10, text: "Zwei." },
      { startIndex: 5, endIndex: 10 },
    ]) {
      expect(await annotationsOf(before, text("Zwei."), grounded(support(segment)))).toMatchObject([
        undefined,
        [{ startIndex: 0, endIndex: 5 }],
      ]);
    }
    expect(
      await annotationsOf(before, text("Zwei."), grounded(support({ startIndex: 3, endIndex: 8 }))),
    ).toMatchObject([undefined, [{ metadata: { segment: { startIndex: 3, endIndex: 8 } } }]]);
  });

  test("without a position if Gemini sends none, for all kinds of sources", async () => {
    const groundingChunks = [
      web,
      { retrievedContext: { uri: "gs://x", title: "X", text: "said there", pageNumber: 3 } },
      { maps: { uri: "https://maps/1", title: "Café", placeId: "p" } },
      { image: { sourceUri: "https://page", imageUri: "https://image", title: "I" } },
    ];
    expect(await annotationsOf(text("a"), grounded({ groundingChunks }))).toEqual([
      [
        { type: "citation", url: "https://a", title: "A", metadata: { domain: "a" } },
        {
          type: "citation",
          url: "gs://x",
          title: "X",
          citedText: "said there",
          metadata: { kind: "retrievedContext", pageNumber: 3 },
        },
        { type: "citation", url: "https://maps/1", title: "Café", metadata: { kind: "maps", placeId: "p" } },
        {
          type: "citation",
          url: "https://page",
          title: "I",
          metadata: { kind: "image", imageUri: "https://image" },
        },
      ],
    ]);
  });

  test("once, even if they are repeated, and also after the finish reason", async () => {
    const groundingMetadata = { groundingChunks: [web] };
    const early = { candidates: [{ content: { parts: [{ text: "a" }] }, groundingMetadata }] };
    const late = { candidates: [{ groundingMetadata: { groundingChunks: [web, other] } }] };
    expect(await annotationsOf(early, text("b"), grounded(groundingMetadata), late)).toMatchObject([
      [{ url: "https://a" }, { url: "https://b" }],
    ]);
  });

  test("in one last chunk if they arrive after the finish reason, however many responses have some", async () => {
    const late = Array.from({ length: 400 }, (_, i) => grounded(supports([{ endIndex: i + 1 }])));
    const chunks = await chunksOf([text("x".repeat(200_000)), finish(), ...late]);
    const cited = chunks.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "text" ? [block.annotations?.length] : [])),
    );
    expect(cited).toEqual([undefined, 400]);
  });

  test("also if many segments repeat a long source, or are in many blocks", async () => {
    const long = { retrievedContext: { uri: "u", text: "t".repeat(100_000) } };
    const segments = Array.from({ length: 1_000 }, (_, i) => ({ startIndex: i, endIndex: i + 1 }));
    const [annotations] = await annotationsOf(text("x".repeat(1_000)), grounded(supports(segments, long)));
    expect(annotations).toHaveLength(1_000);

    const signed = Array.from({ length: 10_000 }, () => ({ text: "a", thoughtSignature: "s" }));
    const places = signed.map((_, i) => ({ startIndex: i, endIndex: i + 1, text: "a" }));
    const blocks = await annotationsOf(parts(...signed), grounded(supports(places)));
    expect(blocks.every((annotations) => annotations?.length === 1)).toBe(true);
  });

  test("without a position if the search for their texts takes too long", async () => {
    const missing = Array.from({ length: 30 }, (_, i) => ({ text: `b${i}` }));
    const [annotations] = await annotationsOf(
      text(`${"a".repeat(100_000)}z`),
      grounded(supports([{ text: "z" }, ...missing, { text: "az" }])),
    );
    expect(annotations?.[0]).toMatchObject({ startIndex: 100_000 });
    expect(annotations?.at(-1)).toMatchObject({ metadata: { segment: { text: "az" } } });
  });

  test("reading a source once, however often its number is repeated", async () => {
    let readings = 0;
    const ownKeys = (target: object): (string | symbol)[] => {
      readings++;
      return Reflect.ownKeys(target);
    };
    const source = { web: new Proxy(web.web, { ownKeys }) };
    const [annotations] = await annotationsOf(
      text("a"),
      grounded({
        groundingChunks: [new Proxy(source, { ownKeys })],
        groundingSupports: [
          { segment: { startIndex: 0, endIndex: 1 }, groundingChunkIndices: Array(1_000).fill(0) },
        ],
      }),
    );
    expect(annotations).toHaveLength(1);
    expect(readings).toBeLessThan(20);
  });

  test("unless a source with many fields has many scores", async () => {
    const numbers = Array.from({ length: 1_000 }, (_, i) => i);
    const fields = Object.fromEntries(numbers.slice(0, 200).map((i) => [`k${i}`, i]));
    const support = { groundingChunkIndices: Array(1_000).fill(0), confidenceScores: numbers };
    await expect(
      messageOf(text("a"), grounded({ groundingChunks: [{ web: fields }], groundingSupports: [support] })),
    ).rejects.toMatchObject({ name: "ModelError", code: "protocol" });
  });

  test("unless a source has too many fields", async () => {
    const fields = Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`k${i}`, i]));
    await expect(
      messageOf(text("a"), grounded({ groundingChunks: [{ web: fields }] })),
    ).rejects.toMatchObject({ name: "ModelError", code: "protocol" });
    await expect(
      messageOf(text("a"), finish("STOP", { citationMetadata: { citations: [fields] } })),
    ).rejects.toMatchObject({ name: "ModelError", code: "protocol" });
  });

  test("only in the metadata if the answer has no text", async () => {
    const groundingMetadata = { groundingChunks: [web] };
    const message = await messageOf(
      parts({ inlineData: { mimeType: "image/png", data: "" } }),
      grounded(groundingMetadata),
    );
    expect(message).toMatchObject({ content: [{ type: "image" }], metadata: { groundingMetadata } });
  });
});

test.each(["citations", "citationSources"])("cited works become citations (%s)", async (key) => {
  const citation = { startIndex: 4, endIndex: 12, uri: "https://a", license: "mit" };
  const message = [
    text("Die 😀😀 da"),
    finish("STOP", { citationMetadata: { [key]: [citation, { uri: "https://b" }] } }),
  ];
  expect(await annotationsOf(...message)).toEqual([
    [
      { type: "citation", url: "https://a", startIndex: 4, endIndex: 8, metadata: { license: "mit" } },
      { type: "citation", url: "https://b" },
    ],
  ]);
});
