import { type ReactNode, useEffect, useRef } from "react";

/** All shortcuts. */
const shortcuts: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl ↵", "Run what is in the form"],
  ["K", "Play or pause"],
  [".", "One chunk"],
  ["R", "Replay"],
  ["C", "Cut the connection"],
  ["Q", "Stop the run"],
  ["+  −", "Faster, slower"],
  ["/", "To the text"],
  ["V", "To the value; there: arrows, Home, End, Enter"],
  ["T", "Light or dark"],
  ["?", "This list"],
];

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly singleKeys: boolean;
  readonly onSingleKeys: (on: boolean) => void;
}

export function ShortcutList({ open, onClose, singleKeys, onSingleKeys }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) {
      dialog.current?.close();
      return;
    }
    dialog.current?.showModal();
    close.current?.focus(); // otherwise a space would untick the box
  }, [open]);
  return (
    <dialog ref={dialog} className="shortcuts" aria-labelledby="shortcuts-title" onClose={onClose}>
      <h2 id="shortcuts-title">Shortcuts</h2>
      <dl>
        {shortcuts.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={singleKeys} onChange={({ target }) => onSingleKeys(target.checked)} />
        Keys without Ctrl are shortcuts
      </label>
      <button type="button" className="primary" onClick={onClose} ref={close}>
        Close
      </button>
    </dialog>
  );
}
