import type { PatchStore, SelectedStore } from "millrace/client";
import { Streamed } from "millrace/react";
import { memo, type ReactNode } from "react";

/** An interface whose elements lie side by side, as in json-render. */
export interface FlatSpec {
  readonly root: string;
  readonly elements: Readonly<Record<string, FlatElement>>;
}

export interface FlatElement {
  readonly text: string;
  readonly children?: readonly string[];
}

/** A title in three states. Each text that it renders is added to `rendered`. */
export function TitlePage({
  of,
  rendered,
}: {
  readonly of: SelectedStore<string>;
  readonly rendered: string[];
}): ReactNode {
  const show = (text: string): string => {
    rendered.push(text);
    return text;
  };
  return (
    <h1>
      <Streamed of={of} pending="nothing" incomplete={(text) => show(`${text}…`)}>
        {(text) => show(`${text}!`)}
      </Streamed>
    </h1>
  );
}

/** A tree of elements. The key of each one is added to `rendered` when it renders. */
export function treePage(store: PatchStore<FlatSpec>, rendered: string[]): ReactNode {
  const Element = memo(({ name }: { readonly name: string }) => (
    <Streamed of={store.select(`/elements/${name}`)} pending={<i>{name}</i>}>
      {({ text, children = [] }, isComplete) => {
        rendered.push(name);
        return (
          <div id={name} aria-busy={!isComplete}>
            {text}
            {children.map((child) => (
              <Element key={child} name={child} />
            ))}
          </div>
        );
      }}
    </Streamed>
  ));
  return <Streamed of={store.select("/root")}>{(root) => <Element name={root} />}</Streamed>;
}
