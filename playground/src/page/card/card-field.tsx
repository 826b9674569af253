import { memo, type ReactNode, useContext, useEffect, useRef } from "react";
import type { JsonValue } from "millrace/json";
import { childPointer } from "../../tree.js";
import { CardContext } from "./card-context.js";

interface CardFieldProps {
  readonly name: string;
  readonly pointer: string;
  readonly value: JsonValue;
  readonly complete: boolean;
}

/** A value as a page for people shows it. Renders only when the value or its completeness changes, and flashes then. */
const CardField: (props: CardFieldProps) => ReactNode = memo(function CardField(
  props: CardFieldProps,
): ReactNode {
  const { renders } = useContext(CardContext);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    renders.add();
    element.current?.animate([{ boxShadow: "0 0 0 2px var(--flash)" }, {}], 400);
  });
  return (
    <div className="card-field" ref={element}>
      <FieldContent {...props} />
    </div>
  );
});

function FieldContent({ name, pointer, value, complete }: CardFieldProps): ReactNode {
  if (Array.isArray(value)) {
    const before = Math.max(0, value.length - maxShown);
    return (
      <section className="card-list">
        <h4>{name}</h4>
        <ol className={ordered.test(name) ? "numbered" : undefined} start={before + 1}>
          {value.slice(before).map((item, i) => (
            <li key={before + i}>
              <CardChild name={String(before + i)} parent={pointer} value={item} complete={complete} />
            </li>
          ))}
        </ol>
      </section>
    );
  }
  if (typeof value === "object" && value !== null) {
    return (
      <dl className="card-facts">
        {Object.entries(value).map(([key, child]) => (
          <div key={key}>
            <dt>{words(key)}</dt>
            <dd>
              <CardChild name={key} parent={pointer} value={child} complete={complete} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null) return <span className="nothing">–</span>;
  return (
    <>
      {typeof value === "string" && value.length > maxLength ? `…${value.slice(-maxLength)}` : value}
      {!complete && <span className="caret" aria-hidden="true" />}
    </>
  );
}

interface CardChildProps {
  readonly name: string;
  readonly parent: string;
  readonly value: JsonValue;
  /** Whether the parent is complete. */
  readonly complete: boolean;
}

export function CardChild({ name, parent, value, complete }: CardChildProps): ReactNode {
  const { isComplete } = useContext(CardContext);
  const pointer = childPointer(parent, name);
  const field = { name: words(name), pointer, value, complete: complete || isComplete(pointer) };
  return <CardField {...field} />;
}

/** `minutesLeft` and `minutes_left` as `minutes left`. */
export function words(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .toLowerCase();
}

/** Lists whose order matters to people. */
const ordered = /steps|instructions|chapters/;
const maxShown = 40;
const maxLength = 1_200;
