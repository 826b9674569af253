/** Rules for `src` that name functions of its own, or a way of V8. */

const errors = /Error$|^SchemaViolation$|^DOMException$/;

/** A rule that reports what a visitor finds. */
function rule(message, visitor) {
  return { create: (context) => visitor((node) => context.report({ node, message })) };
}

export default {
  meta: { name: "millrace" },
  rules: {
    // Anything can be thrown, also a revoked proxy, for which `instanceof` throws.
    "instanceof-errors": rule("Use isInstance() of text/thrown.js.", (report) => ({
      BinaryExpression(node) {
        if (node.operator === "instanceof" && errors.test(node.right.name ?? "")) report(node);
      },
    })),
    "lazy-patterns": rule(
      "Use lazyPattern() of text/lazy-pattern.js: V8 parses a literal while its module loads.",
      (report) => ({
        Literal(node) {
          const { type, parent } = node.parent;
          const atTop =
            parent?.parent?.type === "Program" || parent?.parent?.type === "ExportNamedDeclaration";
          if (type === "VariableDeclarator" && atTop && /\\p\{/i.test(node.regex?.pattern ?? ""))
            report(node);
        },
      }),
    ),
    "functions-on-properties": rule(
      "V8 keeps a function that is assigned to a property, and all that it can reach, until a full collection. " +
        "Use a field, an object literal or a method.",
      (report) => ({
        AssignmentExpression({ left, right }) {
          if (left.type === "MemberExpression" && /Function/.test(right.type)) report(left);
        },
      }),
    ),
  },
};
