import { memo, type ReactNode, useContext, useEffect } from "react";
import { Streamed } from "millrace/react";
import { childPointer } from "../../tree.js";
import { type BoardElement, BoardContext, elementOf } from "./board.js";
import { ComponentOf, isKnown } from "./components.js";

interface ElementProps {
  readonly name: string;
  readonly parent: string;
}

/** An element by its key. Renders only when the element itself has changed. */
export const Element: (props: ElementProps) => ReactNode = memo(function Element({
  name,
  parent,
}: ElementProps): ReactNode {
  const board = useContext(BoardContext);
  if (!board.isIn(parent, name)) return null;
  return (
    <Streamed
      of={board.store.select<string>(childPointer("/elements", name))}
      pending={<Pending name={name} />}
    >
      {(value: unknown, isComplete: boolean) => {
        const element = elementOf(value);
        if (isKnown(element.type))
          return <Shown name={name} element={element} open={board.growing && !isComplete} />;
        // In a spec without a catalogue, or from a reader that does not check.
        return element.type !== "" && <p className="unknown">No component {element.type}</p>;
      }}
    </Streamed>
  );
});

interface ShownProps {
  readonly name: string;
  readonly element: BoardElement;
  /** Whether it is being written. */
  readonly open: boolean;
}

function Shown({ name, element: { type, props, children }, open }: ShownProps): ReactNode {
  const { renders } = useContext(BoardContext);
  useEffect(() => {
    renders.add();
  });
  return (
    <div className={`part part-${type.toLowerCase()}`} data-element={name} aria-busy={open}>
      <ComponentOf type={type} props={props}>
        {children.map((child) => (
          <Element key={child} name={child} parent={name} />
        ))}
      </ComponentOf>
    </div>
  );
}

/** The place of an element that its parent has named, and that is not written yet. */
function Pending({ name }: { readonly name: string }): ReactNode {
  return (
    <div className="pending" data-pending={name}>
      <span className="sr">{name} is not written yet</span>
    </div>
  );
}
