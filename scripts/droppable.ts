import { type ESTree, parseSync } from "rolldown/utils";

/**
 * Marks what top-level variables are set to as pure, so that bundlers drop each variable that nothing reads. A file of
 * dist holds many modules, and a bundler that needs one of them would keep the tables, patterns and symbols of all: it
 * cannot know that `Object.freeze([])` has no side effect. package.json says so of our code. Lines stay where they are.
 *
 * ```js
 * const zeros = table(10); // becomes const zeros = PURE table(10);
 * const all = [...zeros]; //  becomes const all = PURE (() => ([...zeros]))();
 * ```
 *
 * where `PURE` is the comment `@__PURE__`, which esbuild, Rollup, webpack and Vite know.
 */
export function droppable(fileName: string, code: string): string {
  const { program } = parseSync(fileName, code);
  const variables = program.body.flatMap((statement) =>
    statement.type === "VariableDeclaration" ? statement.declarations : [],
  );
  let marked = "";
  let at = 0;
  for (const { id, init } of variables) {
    if (init === null || id.type !== "Identifier" || isPure(init)) continue;
    const before = code.slice(at, init.start);
    const text = code.slice(init.start, init.end);
    marked += before.endsWith(mark) ? before : before + mark;
    marked += isCallOfPure(init) ? text : `(() => ${named(id.name, init.type, text)})()`;
    at = init.end;
  }
  return marked + code.slice(at);
}

const mark = "/* @__PURE__ */ ";

/** A class takes its name from the variable that it is assigned to. */
function named(name: string, type: ESTree.Expression["type"], text: string): string {
  return type === "ClassExpression" ? `{ const ${name} = ${text}; return ${name}; }` : `(${text})`;
}

/** A call that no bundler has to keep, once it is marked. */
function isCallOfPure(node: ESTree.Expression): boolean {
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return false;
  return isPure(node.callee) && node.arguments.every(isPure);
}

/** Whether each bundler knows that evaluating it has no side effect. esbuild doubts `[Symbol.asyncIterator]`. */
function isPure(node: ESTree.Node | null): boolean {
  switch (node?.type) {
    case undefined:
    case "Literal":
    case "Identifier":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "BinaryExpression":
      return node.left.type === "Literal" && node.right.type === "Literal";
    case "ArrayExpression":
      return node.elements.every(isPure);
    case "ObjectExpression":
      return node.properties.every((it) => it.type === "Property" && !it.computed && isPure(it.value));
    case "ClassExpression":
      return isPure(node.superClass) && node.body.body.every(isPureMember);
    default:
      return false;
  }
}

function isPureMember(member: ESTree.ClassElement): boolean {
  if (member.type === "MethodDefinition") return !member.computed;
  return member.type === "PropertyDefinition" && !member.computed && (!member.static || isPure(member.value));
}
