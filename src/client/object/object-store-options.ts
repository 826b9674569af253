import type { IdPlace } from "./stored-id.js";
import type { ConnectOptions, PatchStoreOptions } from "../store/patch-store.js";

/** The options of `createObjectStore()` and `useObject()`. */
export interface ObjectStoreOptions<Schema = unknown, Elements extends boolean = boolean>
  extends PatchStoreOptions, Omit<ConnectOptions, "body" | "resume" | "signal"> {
  /**
   * The URL of the server. The id of a run is added to its query: `?run=…`. Or a function that returns the URL of a
   * run, such as `(id) => "/runs/" + id`.
   */
  readonly api: string | URL | ((id: string) => string | URL);
  /**
   * The schema of the object: Zod 4 or another Standard Schema, or several. Only its type is used. To keep the
   * validator out of the page, leave it out and write `useObject<typeof schema>({ api })` with `import type`.
   */
  readonly schema?: Schema & OnlySchema<Schema>;
  /** Whether the object is a list of objects of the schema, as with `streamObject({ elements: true })`. */
  readonly elements?: Elements;
  /** Tells stores of the same `api` apart. Default: `api` and the order in which they subscribe. */
  readonly key?: string;
  /**
   * Where the id of the run is kept, so that a reload resumes it: `session` is `sessionStorage`; `url` is the query of
   * the page's URL, so that a link leads to the run; `false`: nowhere, so a reload begins anew. Default: `session`.
   */
  readonly remember?: IdPlace;
}

/** A Standard Schema, seen only by its type. */
export interface TypedSchema {
  readonly "~standard": { readonly types?: { readonly input: unknown } | undefined };
}

/**
 * Refuses a value that is not a schema. An intersection with the type of a schema instead is too deep for TypeScript
 * with ArkType.
 */
type OnlySchema<Schema> = Schema extends TypedSchema | readonly TypedSchema[] ? unknown : TypedSchema;

/** The type of the object that a schema describes, as the model writes it. A type that is no schema is the object's. */
export type SchemaType<Schema, Elements = false> = Elements extends true
  ? WrittenType<OneOf<Schema>>[]
  : WrittenType<OneOf<Schema>>;

type OneOf<Schema> = Schema extends readonly TypedSchema[] ? Schema[number] : Schema;

type WrittenType<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : Schema;
