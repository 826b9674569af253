/** Any value that JSON can write (RFC 8259). */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

/** An array of JSON. */
export type JsonArray = JsonValue[];

/** An object of JSON. */
export interface JsonObject {
  [key: string]: JsonValue;
}
