/** The styles of the panel, which the page's own cannot change. */
export const styles = `
:host { display: contents !important }
.root { all: initial; position: fixed; right: 12px; bottom: 12px; z-index: 2147483647; color-scheme: light dark;
  display: grid; grid-template-columns: minmax(0, auto); justify-items: end; gap: 8px; max-width: calc(100vw - 24px);
  font: 12px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; color: light-dark(#1d1f1e, #e9ebe8) }
button, .list { border: 1px solid light-dark(#d8d5cc, #343a37); background: light-dark(#fffefb, #191c1b);
  color: inherit; box-shadow: 0 4px 18px #0003 }
button { font: inherit; font-weight: 600; padding: 6px 12px; border-radius: 99px; cursor: pointer }
:focus-visible { outline: 2px solid light-dark(#0b6b67, #5cc9bf) }
.list { width: 400px; max-width: 100%; max-height: 60vh; overflow: auto; border-radius: 10px }
section { padding: 10px 12px }
section + section { border-top: 1px solid light-dark(#d8d5cc, #343a37) }
header { display: flex; gap: 8px; align-items: baseline }
p { margin: 2px 0 0 }
p:empty { display: none }
.time { margin-left: auto }
.facts, .time, details { color: light-dark(#5c605d, #a3aaa6) }
.cost, .streaming, .done { color: light-dark(#0b6b67, #5cc9bf) }
.reconnecting { color: light-dark(#8a5300, #e6b450) }
.error { color: light-dark(#b02a1d, #f1877b); white-space: pre-line; overflow-wrap: anywhere }
summary { cursor: pointer; margin-top: 4px }
ol { margin: 2px 0; padding: 0; list-style: none; font: 11px/1.5 ui-monospace, monospace; max-height: 160px;
  overflow: auto }
li { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
`;
