import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Application,
  Comment,
  Converter,
  DeclarationReflection,
  SignatureReflection,
  TSConfigReader,
  TypeDocReader,
  type Context,
  type PageEvent,
  type ProjectReflection,
} from "typedoc";
import { MarkdownPageEvent } from "typedoc-plugin-markdown";
import { repositoryScheme } from "../docs/.vitepress/links.js";
import type { ApiSection } from "../docs/.vitepress/sections.js";

const folder = "temp/reference";

/** Writes a page for each section into docs/exports. Returns false if TypeDoc reported an error or a warning. */
export async function writeReference(sections: readonly ApiSection[]): Promise<boolean> {
  // TypeDoc writes one page for each module, so each section is written as a module.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const section of sections) writeFileSync(moduleOf(section), moduleText(section));
  const tsconfig = join(folder, "tsconfig.json");
  const compilerOptions = { allowImportingTsExtensions: true };
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] }),
  );

  const app = await Application.bootstrapWithPlugins({ entryPoints: sections.map(moduleOf), tsconfig }, [
    new TypeDocReader(),
    new TSConfigReader(),
  ]);
  // Runs after TypeDoc's own steps, which match the parameters of a docblock by name.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }: Context) => tidy(project), -1000);
  app.renderer.on(MarkdownPageEvent.END, (page: PageEvent) => {
    const section = sections.find(({ file }) => page.url === `${file}.md`);
    const text = (page.contents ?? "")
      .replace(/^# .*/, section === undefined ? "$&" : `# ${titleOf(section)}`)
      .replaceAll(bareTypeParameters, "")
      .replaceAll(/^Defined in: (.*)$/gm, '<small class="source">$1</small>');
    // The page is generated: there is no file to edit.
    page.contents = `---\neditLink: false\n---\n\n${text}`;
  });
  const project = await app.convert();
  if (project === undefined) return false;
  app.validate(project);
  await app.generateOutputs(project);
  return !app.logger.hasErrors() && !app.logger.hasWarnings();
}

/** With the entry, because an interface may have the same name. */
function titleOf({ name, entry }: ApiSection): string {
  return name === entry ? name : `${entry}: ${name}`;
}

function tidy(project: ProjectReflection): void {
  for (const it of Object.values(project.reflections)) {
    if (!(it instanceof DeclarationReflection || it instanceof SignatureReflection)) continue;
    for (const source of it.sources ?? []) {
      source.url = `${repositoryScheme}${source.fileName}#L${source.line}`;
    }
    if (it instanceof DeclarationReflection) {
      if (it.signatures !== undefined) it.signatures = shortened(it.signatures);
      continue;
    }
    for (const parameter of it.parameters ?? []) {
      // A destructured parameter has no name.
      if (parameter.name === "__namedParameters") parameter.name = "options";
    }
  }
}

/**
 * Shows a docblock that overloads share once. Of many overloads (`pipe()` has twenty) shows the first three and the
 * last.
 */
function shortened(signatures: readonly SignatureReflection[]): SignatureReflection[] {
  const [first, ...others] = signatures;
  for (const signature of others) {
    if (textOf(signature.comment) === textOf(first?.comment)) delete signature.comment;
  }
  const between = signatures.slice(3, -1);
  const last = signatures.at(-1);
  if (between.length < 2 || last === undefined) return [...signatures];
  const text = `${between.length} more signatures follow the same pattern.`;
  last.comment = new Comment([{ kind: "text", text }]);
  return [...signatures.slice(0, 3), last];
}

function textOf(comment: Comment | undefined): string {
  const tags = comment?.blockTags.map(({ tag, content }) => tag + Comment.combineDisplayParts(content));
  return [Comment.combineDisplayParts(comment?.summary), ...(tags ?? [])].join("\n");
}

/** A table of type parameters without descriptions repeats the signature above it. */
const bareTypeParameters = /^#+ Type Parameters\n\n\| Type Parameter \|\n\| -+ \|\n(?:\|.*\|\n)+\n*/gm;

function moduleOf({ file }: ApiSection): string {
  return join(folder, `${file}.ts`);
}

function moduleText({ file, entry, about, exports }: ApiSection): string {
  const module = exports.replaceAll(/ from "\.\//g, ' from "../../');
  return `/**\n * From \`${entry}\`: ${about}.\n *\n * @module ${file}\n */\n${module}`;
}
