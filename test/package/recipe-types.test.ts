import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { recipeFiles } from "../behaviour/recipes/recipe-files.js";

const root = join(import.meta.dirname, "../..");

test("the files of the recipes compile with the options of the templates", { timeout: 60_000 }, () => {
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
    const parsed = ts.getParsedCommandLineOfConfigFile(
      join(root, "templates/tsconfig.json"),
      { paths: {} }, // the declarations in dist
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
    );
    const program = ts.createProgram(names, parsed?.options ?? {});
    const found = names.flatMap((name) => [
      ...program.getSyntacticDiagnostics(program.getSourceFile(name)),
      ...program.getSemanticDiagnostics(program.getSourceFile(name)),
    ]);
    expect(
      ts.formatDiagnostics(found, {
        ...ts.sys,
        getCanonicalFileName: String,
        getCurrentDirectory: () => folder,
        getNewLine: () => "\n",
      }),
    ).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
