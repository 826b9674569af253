import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";

/** A schema, a value that it accepts, and the value as a model may write it. */
export interface Misspelt {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly written: JsonValue;
}

const english = new Intl.NumberFormat("en-US");

const integer = fc
  .integer()
  .chain((value) =>
    fc
      .constantFrom<JsonValue>(
        value,
        String(value),
        ` ${value}`,
        `${value}.0`,
        english.format(value),
        `$${value}`,
      )
      .map((written) => ({ schema: { type: "integer" }, value, written })),
  );

const boolean = fc
  .boolean()
  .chain((value) =>
    fc
      .constantFrom<JsonValue>(value, String(value), String(value).toUpperCase(), value ? "Yes" : "no")
      .map((written) => ({ schema: { type: "boolean" }, value, written })),
  );

const options = ["in_progress", "done", "Café 5", "not done"];

const option = fc
  .constantFrom(...options)
  .chain((value) =>
    fc
      .constantFrom<JsonValue>(
        value,
        value.toUpperCase(),
        value.replace(/[_ ]/g, "-"),
        ` ${value}.`,
        `**${value}**`,
      )
      .map((written) => ({ schema: { enum: options }, value, written })),
  );

const date = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((each) => each.toISOString().slice(0, 10))
  .chain((value) => {
    const long = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
    return fc
      .constantFrom<JsonValue>(value, value.replace(/-/g, "/"), long.format(new Date(value)))
      .map((written) => ({ schema: { type: "string", format: "date" }, value, written }));
  });

const text = fc
  .string({ maxLength: 5 })
  .map((value) => ({ schema: { type: "string" }, value, written: value }));

/** For each key of the schema, how a model may write it. */
const keys = {
  name: "Name",
  first_name: "firstName",
  lastName: "last_name",
  "the key": "The Key",
  "e-mail": "Email",
};

const { value } = fc.letrec<{ value: Misspelt }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(integer, boolean, option, date, text),
    fc.array(tie("value"), { minLength: 1, maxLength: 1 }).chain(([each]) => listOf(each as Misspelt)),
    fc
      .dictionary(fc.constantFrom(...Object.keys(keys)), tie("value"), { noNullPrototype: true })
      .chain((members) =>
        fc
          .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
          .map(([renames, closed, inText, isOdd]) =>
            objectOf(
              Object.entries(members).map(([key, each]) => [key, isOdd ? asOneOrList(each) : each]),
              renames,
              closed,
              inText,
            ),
          ),
      ),
  ),
}));

export const misspelt: fc.Arbitrary<Misspelt> = value;

/** Writes a list of one as one value, and one value as a list of one. */
function asOneOrList({ schema, value: meant, written }: Misspelt): Misspelt {
  if (!Array.isArray(meant)) return { schema, value: meant, written: [written] };
  const [only, ...others] = Array.isArray(written) ? written : [];
  const isClear = only !== undefined && others.length === 0 && !Array.isArray(only) && !mayBeDocument(only);
  return { schema, value: meant, written: isClear ? only : written };
}

function mayBeDocument(written: JsonValue): boolean {
  return typeof written === "string" && /^\s*[[{]/.test(written);
}

/** A list of one, or of two alike. */
function listOf({ schema, value: element, written }: Misspelt): fc.Arbitrary<Misspelt> {
  return fc.boolean().map((twice) => ({
    schema: { type: "array", items: schema },
    value: twice ? [element, element] : [element],
    written: twice ? [written, written] : [written],
  }));
}

function objectOf(
  members: readonly (readonly [string, Misspelt])[],
  renames: boolean,
  closed: boolean,
  inText: boolean,
): Misspelt {
  const nameOf = (key: string): string => (renames ? keys[key as keyof typeof keys] : key);
  const written = Object.fromEntries(members.map(([key, each]) => [nameOf(key), each.written]));
  // A document in a document would stay text.
  const isText =
    inText && members.every(([, { written: each }]) => typeof each !== "object" && !mayBeDocument(each));
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(members.map(([key, each]) => [key, each.schema])),
      required: members.map(([key]) => key),
      ...(closed && { additionalProperties: false }),
    },
    value: Object.fromEntries(members.map(([key, each]) => [key, each.value])),
    written: isText ? JSON.stringify(written) : written,
  };
}
