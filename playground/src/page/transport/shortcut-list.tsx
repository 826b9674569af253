import { type ReactNode, useEffect, useRef } from "react";

/** All shortcuts. */
const shortcuts: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl ↵", "Run the form"],
  ["K", "Play or pause"],
  [".", "Pass one chunk"],
  ["R", "Replay"],
  ["C", "Cut the connection"],
  ["Q", "Stop the run"],
  ["+  −", "Faster, slower"],
  ["/", "Focus the text"],
  ["V", "Focus the value (then arrows, Home, End, Enter)"],
  ["T", "Switch between light and dark"],
  ["?", "Show this list"],
];

interface ShortcutListProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly singleKeys: boolean;
  readonly onSingleKeys: (on: boolean) => void;
}

export function ShortcutList({ open, onClose, singleKeys, onSingleKeys }: ShortcutListProps): ReactNode {
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
        Enable single-key shortcuts
      </label>
      <button type="button" className="primary" onClick={onClose} ref={close}>
        Close
      </button>
    </dialog>
  );
}
