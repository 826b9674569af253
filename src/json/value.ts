/** Any value that JSON can write (RFC 8259). */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

export type JsonArray = JsonValue[];

export interface JsonObject {
  [key: string]: JsonValue;
}
