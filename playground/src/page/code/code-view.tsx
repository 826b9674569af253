import { type ReactNode, useState } from "react";
import type { JsonValue } from "millrace/json";
import { useObject } from "millrace/react";
import type { InputState } from "../input/use-input.js";
import { Panel } from "../streams/panel.js";
import { Tabs } from "../tabs.js";
import type { PageRun } from "../transport/run.js";
import type { AppFile } from "./app-file.js";
import { codeOf } from "./code-of-run.js";
import { highlighted } from "./highlighted.js";

/** This run as an app: the files, ready to copy. */
export function CodeView({ input, run }: { readonly input: InputState; readonly run: PageRun }): ReactNode {
  const value = useObject(run.document, (state) => state.value) as JsonValue | undefined;
  const [chosen, setChosen] = useState("server.ts");
  const files = codeOf(input, value);
  const file = files.find(({ name }) => name === chosen) ?? files[0];
  return (
    <div className="code-files">
      <p className="code-lead">
        This run as an app: one call on the server, one store on the page. Resuming after a lost connection,
        stopping and errors are in it.
      </p>
      <Tabs
        label="Files"
        id="file"
        tabs={files.map(({ name }) => [name, name] as const)}
        shown={file?.name ?? ""}
        onShow={setChosen}
        panelOf={() => "code-file"}
      />
      {file !== undefined && <CodeFile file={file} />}
    </div>
  );
}

function CodeFile({ file: { name, code } }: { readonly file: AppFile }): ReactNode {
  const [copied, setCopied] = useState<string>();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code);
    setCopied(code);
  };
  return (
    <div className="code-panel" id="code-file" role="tabpanel" aria-labelledby={`file-${name}`}>
      <Panel
        name="file"
        title={name}
        aside={
          <button type="button" className="copy" onClick={() => void copy()}>
            {copied === code ? "Copied" : "Copy"}
            <span className="sr"> {name}</span>
          </button>
        }
      >
        <pre className="scroll code file-code" tabIndex={0}>
          {highlighted(code).map(({ kind, text }, index) =>
            kind === "" ? (
              text
            ) : (
              <span key={index} className={`code-${kind}`}>
                {text}
              </span>
            ),
          )}
        </pre>
      </Panel>
    </div>
  );
}
