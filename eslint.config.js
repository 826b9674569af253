import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

/** What a browser lacks. Only the command and the test tools may rely on Node. */
const nodeOnly = ["Buffer", "__dirname", "__filename", "global", "process", "require", "setImmediate"];

export default defineConfig(
  globalIgnores(["dist/", "playground/dist/", "temp/", "coverage/", "templates/*/"]),
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ["eslint.config.js", ".dependency-cruiser.cjs", "templates/create.js"],
        },
      },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-promise-executor-return": "error",
      "object-shorthand": "error",
      "@typescript-eslint/consistent-type-exports": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],

      // A promise nobody waits for is how a source stays open and a rejection goes unhandled.
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/return-await": ["error", "error-handling-correctness-only"],

      // An error of the source reaches the consumer as the same object, whatever it is (law 4).
      "@typescript-eslint/only-throw-error": [
        "error",
        {
          allowThrowingUnknown: true,
          allowThrowingAny: false,
          // Its error is made only if it is asked for.
          allow: [{ from: "file", name: "Mistake", path: "src/json/scan/rejection.ts" }],
        },
      ],
      "@typescript-eslint/prefer-promise-reject-errors": ["error", { allowThrowingUnknown: true }],

      // Off: an iterator's next() must not be an `async` function where it is hot (65 ns an item against 30).
      "@typescript-eslint/promise-function-async": "off",
      // Off: a generator may be async for its type alone, and a fake in a test need not await.
      "@typescript-eslint/require-await": "off",
      // Off: fields that another method changes (`this.ended` across `this.run()`) look constant to the checker.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // Off: `() => {}` is the honest way to say that a rejection is reported elsewhere.
      "@typescript-eslint/no-empty-function": "off",
      // Off: an index known to be in bounds is asserted with `as T`, which names what is there; `!` is not allowed.
      "@typescript-eslint/non-nullable-type-assertion-style": "off",
      // Off: there are no enums, and a class with private members is nominal already. The two take a quarter of the time.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      // Off: `readonly name: string = "…"` is wider than its literal on purpose.
      "@typescript-eslint/no-inferrable-types": "off",

      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    files: ["src/**"],
    rules: {
      // A decision with more paths is a table, or several functions of one idea each.
      complexity: ["error", 20],
    },
  },
  {
    files: ["src/**"],
    ignores: ["src/cli/**", "src/testing/**"],
    rules: {
      "no-console": "error",
      "no-restricted-globals": ["error", ...nodeOnly],
    },
  },
  {
    files: ["src/**"],
    ignores: ["src/cli/**", "src/testing/**", "src/client/**"],
    rules: {
      // Anything can be thrown, also a revoked proxy, for which `instanceof` throws. The client only meets errors of
      // fetch().
      "no-restricted-syntax": [
        "error",
        {
          selector:
            'BinaryExpression[operator="instanceof"][right.name=/Error$|^SchemaViolation$|^DOMException$/]',
          message: "Use isInstance() of text/thrown.js.",
        },
        {
          selector:
            ":matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > Literal[regex.pattern=/[\\\\]p[{]/]",
          message: "Use lazyPattern() of text/lazy-pattern.js: V8 parses a literal while its module loads.",
        },
        {
          selector: "AssignmentExpression[left.type='MemberExpression'][right.type=/Function/]",
          message:
            "V8 keeps a function that is assigned to a property, and all that it can reach, until a full collection. " +
            "Use a field, an object literal or a method.",
        },
      ],
    },
  },
  {
    files: ["test/**", "docs/examples/**"],
    rules: {
      // Tests go through the public names, or through #src/ where a thing has none.
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { regex: "(^|/)(src|dist)/", message: "Import `millrace…`, or `#src/…` for internals." },
          ],
        },
      ],
      // A test says what it expects of a value; expect() itself is the check that it is there.
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  { files: ["**/*.js", "**/*.cjs"], extends: [tseslint.configs.disableTypeChecked] },
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
);
