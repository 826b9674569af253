import type { ReactNode } from "react";
import type { JsonValue } from "millrace/json";
import type { SchemaIssue } from "millrace/schema";
import { parsePointer } from "../../tree.js";
import { type CardContents, CardContext } from "./card-context.js";
import { CardChild, words } from "./card-field.js";

interface CardProps {
  readonly value: JsonValue | undefined;
  readonly contents: CardContents;
  readonly complete: boolean;
  /** Where the schema ended the run. */
  readonly issues: readonly SchemaIssue[];
}

/** Any document, laid out as an app would: a title, texts, facts and lists. */
export function Card({ value, contents, complete, issues }: CardProps): ReactNode {
  if (value === undefined) return <p className="empty">Nothing to show yet.</p>;
  const entries: readonly (readonly [string, JsonValue])[] =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [["items", value]];
  if (entries.length === 0) return <p className="empty">Nothing to show yet.</p>;
  const title = entries.find(([key, one]) => titles.has(key) && typeof one === "string");
  const facts = entries.filter(([key, one]) => key !== title?.[0] && isFact(one));
  const rest = entries.filter((entry) => entry !== title && !facts.includes(entry));
  const child = ([name, one]: readonly [string, JsonValue]): ReactNode => (
    <CardChild name={name} parent="" value={one} complete={complete} />
  );
  return (
    <CardContext value={contents}>
      <article className="card">
        {title !== undefined && <h3>{child(title)}</h3>}
        {facts.length > 0 && (
          <dl className="card-facts">
            {facts.map((entry) => (
              <div key={entry[0]}>
                <dt>{words(entry[0])}</dt>
                <dd>{child(entry)}</dd>
              </div>
            ))}
          </dl>
        )}
        {rest.map((entry) => (
          <div key={entry[0]} className="card-part">
            {!Array.isArray(entry[1]) && !leads.has(entry[0]) && <h4>{words(entry[0])}</h4>}
            {child(entry)}
          </div>
        ))}
        {issues.map(({ pointer, message }) => (
          <div key={pointer} className="card-part card-stop">
            <h4>{words(parsePointer(pointer).at(-1) ?? "document")}</h4>
            <p>{message}</p>
          </div>
        ))}
      </article>
    </CardContext>
  );
}

const titles: ReadonlySet<string> = new Set(["title", "name", "product"]);

/** Texts that need no label. */
const leads: ReadonlySet<string> = new Set(["description", "summary"]);

/** A short value, shown in the row of facts. Strings are texts from their first character, so they never move. */
function isFact(value: JsonValue): boolean {
  return typeof value === "number" || typeof value === "boolean" || value === null;
}
