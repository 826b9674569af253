import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wrongLinks } from "../../scripts/docs-links.js";

describe("the check of a built site", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "millrace-site-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };

  test("finds links to missing pages and anchors", () => {
    write({
      "index.html":
        '<a class="x" href="/guides/a.html#here">a</a> <a href="/guides/">b</a> <a href="#top">c</a>',
      "guides/a.html": '<h2 id="here">d</h2> <a href="../index.html">e</a> <a href="/picture.svg">f</a>',
      "picture.svg": "<svg/>",
    });
    expect(wrongLinks(folder, "/")).toEqual(["index.html links to /guides/", "index.html links to #top"]);
  });

  test("supports a base path, and anchors with any letters", () => {
    write({
      "index.html": '<a href="/millrace/a.html#%C3%A4rger">a</a> <a href="/a.html">b</a>',
      "a.html": '<h2 id="ärger">c</h2> <a href="/millrace/">d</a>',
    });
    expect(wrongLinks(folder, "/millrace/")).toEqual(["index.html links to /a.html"]);
  });

  test("finds resources of other hosts, but allows links to them", () => {
    write({
      "index.html": '<a href="https://example.org/">a</a><script src="https://a.example/b.js"></script>',
      "a.html": '<link rel="stylesheet" href="//b.example/c.css"><img src="/d.png">',
      "assets/style.css": '@import "https://c.example/e.css"; p { background: url(https://d.example/f.png) }',
    });
    expect(wrongLinks(folder, "/").sort()).toEqual([
      "a.html loads //b.example/c.css",
      "assets/style.css loads https://c.example/e.css",
      "assets/style.css loads https://d.example/f.png",
      "index.html loads https://a.example/b.js",
    ]);
  });
});
