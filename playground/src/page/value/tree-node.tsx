import { memo, type ReactNode, useContext, useState } from "react";
import type { JsonValue } from "millrace/json";
import { childPointer } from "../../tree.js";
import { count, counted } from "../counts.js";
import { TreeContext } from "./tree-context.js";

interface TreeNodeProps {
  /** Key or index; `undefined` for the root. */
  readonly name: string | number | undefined;
  readonly pointer: string;
  readonly value: JsonValue;
  readonly complete: boolean;
  readonly level: number;
}

/** A value and its children. Renders only when the value or its completeness changes. */
export const TreeNode: (props: TreeNodeProps) => ReactNode = memo(function TreeNode(
  props: TreeNodeProps,
): ReactNode {
  const { name, pointer, value, complete, level } = props;
  const note = useContext(TreeContext).notes.get(pointer);
  const [closed, setClosed] = useState(false);
  const isContainer = typeof value === "object" && value !== null;
  const size = isContainer ? Object.keys(value).length : 0;
  const folds = size > 0;
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-expanded={folds ? !closed : undefined}
      aria-busy={!complete}
      tabIndex={level === 1 ? 0 : -1}
      className={complete ? "node done" : "node open"}
      data-pointer={pointer}
    >
      <div className="row" onClick={folds ? () => setClosed(!closed) : undefined}>
        {folds && <span className={closed ? "fold closed" : "fold"} aria-hidden="true" />}
        {name !== undefined && <span className={typeof name === "number" ? "index" : "key"}>{name}</span>}
        {isContainer ? (
          <span className="size">{sizeOf(value, size)}</span>
        ) : (
          <Leaf value={value} complete={complete} />
        )}
        {!complete && <span className="sr">, being written</span>}
      </div>
      {note !== undefined && <p className="note">{note}</p>}
      {folds && !closed && (
        <Children value={value as object} pointer={pointer} complete={complete} level={level + 1} />
      )}
    </li>
  );
});

/** The last 100 children; a button shows more. */
function Children({
  value,
  pointer,
  complete,
  level,
}: Omit<TreeNodeProps, "name" | "value"> & { readonly value: object }): ReactNode {
  const { isComplete } = useContext(TreeContext);
  const [shown, setShown] = useState(maxShown);
  const isArray = Array.isArray(value);
  const keys = Object.keys(value);
  const hidden = Math.max(0, keys.length - shown);
  return (
    <ul role="group">
      {hidden > 0 && (
        <li role="none">
          <button type="button" className="more" onClick={() => setShown(shown + maxShown)}>
            {counted(hidden, "more before", "more before")}
          </button>
        </li>
      )}
      {keys.slice(hidden).map((key) => {
        const at = childPointer(pointer, key);
        return (
          <TreeNode
            key={key}
            name={isArray ? Number(key) : key}
            pointer={at}
            value={(value as Record<string, JsonValue>)[key] as JsonValue}
            complete={complete || isComplete(at)}
            level={level}
          />
        );
      })}
    </ul>
  );
}

const maxShown = 100;

function sizeOf(value: object, size: number): string {
  if (Array.isArray(value)) return size === 0 ? "[ ]" : `[${size}]`;
  return size === 0 ? "{ }" : `{${size}}`;
}

interface LeafProps {
  readonly value: string | number | boolean | null;
  readonly complete: boolean;
}

/** A string, number or literal. A long string shows its end while it grows, and its beginning when complete. */
function Leaf({ value, complete }: LeafProps): ReactNode {
  if (typeof value !== "string") return <span className="scalar">{String(value)}</span>;
  const cut = value.length > maxLength;
  const shown = !cut ? value : complete ? value.slice(0, maxLength) : value.slice(-maxLength);
  const rest = cut && <span className="rest">… {count(value.length)} characters …</span>;
  return (
    <span className="string">
      {!complete && rest}
      {shown}
      {complete && rest}
      {!complete && <span className="caret" aria-hidden="true" />}
    </span>
  );
}

const maxLength = 1_200;
