// A schema of one library as a check: for the model, for a stream and for the answer
export { arktype } from "./adapters/arktype.js";
export { jsonSchema } from "./adapters/json-schema.js";
export { valibot } from "./adapters/valibot.js";
export { zod } from "./adapters/zod.js";
export type { SchemaCheck } from "./adapters/schema-check.js";
export { guardOf } from "./guard-of.js";
export type { SchemaInstructions } from "./in-prompt.js";
export { schemaOf, type InputOf, type OutputOf, type SchemaInput } from "./schema-of.js";
export type { JsonSchema, Schema, SchemaIssue, Validation } from "./schema.js";

// Coercion
export { coerce } from "./coerce/coerce.js";
export type { Coerce } from "./guard/guard-of-shapes.js";

// Errors
export { SchemaError, type SchemaErrorCode } from "./errors.js";
export { SchemaViolation, type SchemaViolationCode, type SchemaViolationDetails } from "./guard/violation.js";
