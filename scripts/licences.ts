import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of the packages that are copied into a build, as most of them ask for. */
export function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as Readonly<Record<string, unknown>>;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const by = typeof author === "string" ? ` Copyright ${author}` : "";
    const text =
      file === undefined ? `${String(license)} licence.${by}` : readFileSync(join(folder, file), "utf8");
    return `${String(name)} ${String(version)}\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
