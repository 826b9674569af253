import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { recipeFiles } from "../behaviour/recipes/recipe-files.js";
import { typeCheck } from "../support/type-check.js";

const root = join(import.meta.dirname, "../..");

test("the files of the recipes compile with the options of the templates", { timeout: 60_000 }, async () => {
  mkdirSync(join(root, "temp"), { recursive: true });
  const folder = mkdtempSync(join(root, "temp/recipe-types-"));
  try {
    const pages = readdirSync(join(root, "docs/learn/recipes")).map((file) => file.replace(".md", ""));
    const schema = new Map([["lib/recipe.ts", recipeFiles("next").get("lib/recipe.ts") ?? ""]]);
    const names = pages.flatMap((page) =>
      [...schema, ...recipeFiles(page)]
        .filter(([path]) => /\.tsx?$/.test(path))
        .map(([path, code]) => {
          const file = join(folder, page, path);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, code);
          return file;
        }),
    );
    expect(names.length).toBeGreaterThan(20);
    // Without paths: with the declarations in dist.
    expect(await typeCheck(folder, names, { paths: {} }, "templates/tsconfig.json")).toEqual(new Map());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
