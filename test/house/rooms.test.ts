import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** docs/internals describes the folders and files that there are. */

const root = join(import.meta.dirname, "../..");
const internals = join(root, "docs/internals");

describe("the rooms of architecture.md", () => {
  const text = readFileSync(join(internals, "architecture.md"), "utf8");
  const [, table = ""] = /Each folder of `src` has one role:\n\n```text\n([^`]*)```/.exec(text) ?? [];
  /** `models`, `models/http`, … */
  const written: string[] = [];
  let room = "";
  for (const line of table.split("\n")) {
    const [, indent = "", names = ""] = /^( {0,2})((?:[\w-]+\/ *)+)/.exec(line) ?? [];
    for (const [, name = ""] of names.matchAll(/([\w-]+)\//g)) {
      if (indent === "") room = name;
      written.push(indent === "" ? name : `${room}/${name}`);
    }
  }

  test("are the folders of src, two levels deep", () => {
    const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
      .filter((it) => it.isDirectory())
      .map((it) => join(it.parentPath, it.name).slice(join(root, "src/").length).replaceAll("\\", "/"))
      .filter((path) => path.split("/").length <= 2);
    expect(written.toSorted()).toEqual(folders.sort());
  });
});

test.each(readdirSync(internals).filter((name) => name.endsWith(".md")))(
  "%s names files that exist",
  (page) => {
    const files = ["src", "test", "bench", "scripts", "playground/src"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `/${folder}/${file.replaceAll("\\", "/")}`,
      ),
    );
    const text = readFileSync(join(internals, page), "utf8");
    const named = [...text.matchAll(/`((?:[\w-]+\/)*[\w-]+(?:\.test)?\.tsx?)`/g)].map(
      ([, name = ""]) => name,
    );
    expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  },
);
