import { dirname, join } from "node:path";
import ts from "typescript";

/** A property of an exported interface whose name ends with `Options`. */
export interface PublicOption {
  readonly name: string;
  /** The interface that declares it. */
  readonly owner: string;
  readonly type: string;
  /** The text of its docblock on one line. */
  readonly doc: string;
}

/** The options of all entries of the package, sorted by name. */
export function publicOptions(): readonly PublicOption[] {
  const root = join(import.meta.dirname, "..");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: { paths: Readonly<Record<string, readonly [string]>> } };
  };
  const entries = Object.values(config.compilerOptions.paths).map(([path]) => join(root, path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(entries, options);
  const checker = program.getTypeChecker();
  const found = new Map<string, PublicOption>();
  for (const entry of entries) {
    const source = program.getSourceFile(entry);
    const module = source && checker.getSymbolAtLocation(source);
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!symbol.name.endsWith("Options") || !(symbol.flags & ts.SymbolFlags.Interface)) continue;
      for (const property of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))) {
        const option = optionOf(property, checker, join(root, "src"));
        if (option !== undefined) found.set(`${option.name} ${option.owner}`, option);
      }
    }
  }
  return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.owner, b.owner));
}

function optionOf(property: ts.Symbol, checker: ts.TypeChecker, home: string): PublicOption | undefined {
  const declaration = property.declarations?.[0];
  if (declaration === undefined || !ts.isInterfaceDeclaration(declaration.parent)) return undefined;
  if (!dirname(declaration.getSourceFile().fileName).startsWith(home)) return undefined;
  const type = ts.isPropertySignature(declaration) ? (declaration.type?.getText() ?? "") : "function";
  return {
    name: property.name,
    owner: declaration.parent.name.text,
    type: oneLine(type.replace(/ \| undefined$/, "")),
    doc: oneLine(ts.displayPartsToString(property.getDocumentationComment(checker))),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
