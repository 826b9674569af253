import { useThread } from "millrace/react";
import { type KeyboardEvent, Suspense, use, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { probe } from "./devtools.ts";

type Thread = ReturnType<typeof useThread>;
type Message = Thread["messages"][number];
type Call = Thread["pending"][number];

/** The id of the conversation is in the address, so a reload and a second tab show the same. */
function Page() {
  const id = useSyncExternalStore(
    (changed) => {
      addEventListener("hashchange", changed);
      return () => removeEventListener("hashchange", changed);
    },
    () => location.hash.slice(1),
  );
  const thread = useThread({ api: "/api/chat", id, ...probe.options });
  useEffect(probe.rendered);
  return (
    <>
      <aside>
        <h1>my-app</h1>
        <button onClick={begin}>New chat</button>
        <Chats id={id} status={thread.status} />
        <p>
          Edit <code>src/page.tsx</code>, and the tools in <code>src/agent.ts</code>.
        </p>
      </aside>
      <main>
        <div className="scroll">
          <div className="messages">
            <Suspense>
              <ScriptNote />
            </Suspense>
            {thread.messages.length === 0 && thread.status === "idle" && (
              <div className="welcome">
                <h2>Where shall we eat tonight?</h2>
                <button onClick={() => thread.send("A table for two tonight, please.")}>
                  A table for two tonight, please.
                </button>
              </div>
            )}
            {thread.messages.map((message, index) => (
              <MessageCard
                key={message.id}
                message={message}
                isBusy={thread.isBusy && index === thread.messages.length - 1}
              />
            ))}
            {thread.pending.map((call) => (
              <Approval key={call.id} call={call} thread={thread} />
            ))}
            <State thread={thread} />
          </div>
        </div>
        <Composer key={id} thread={thread} />
        <Usage usage={thread.usage} />
      </main>
    </>
  );
}

function MessageCard({ message, isBusy }: { message: Message; isBusy: boolean }) {
  if (message.role === "user") return <article className="user">{message.text}</article>;
  return (
    <article aria-busy={isBusy && message.partial}>
      {message.text && <p>{message.text}</p>}
      {message.calls.map((call) => (
        <details key={call.id} className={`call ${call.status}`}>
          <summary>
            {titleOf(call)}{" "}
            <small>{call.progress === null ? words[call.status] : String(call.progress)}</small>
          </summary>
          <Arguments call={call} />
          {call.result !== null && <pre>{call.result}</pre>}
        </details>
      ))}
    </article>
  );
}

const words: Record<Call["status"], string> = {
  called: "is called …",
  running: "runs …",
  paused: "waits for you",
  done: "done",
  failed: "not done",
};

/** "book_table" as "Book table". */
function titleOf({ name }: Call) {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Arguments({ call }: { call: Call }) {
  return (
    <dl>
      {Object.entries(call.args ?? {}).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Approval({ call, thread }: { call: Call; thread: Thread }) {
  return (
    <section className="card">
      <h2>{titleOf(call)}?</h2>
      <Arguments call={call} />
      <button className="main" onClick={() => thread.approve(call.id)}>
        Allow
      </button>{" "}
      <button onClick={() => thread.reject(call.id, "The user does not want this.")}>Reject</button>
    </section>
  );
}

function State({ thread: { status, error, retry, isBusy, messages, resume } }: { thread: Thread }) {
  const last = messages.at(-1);
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      {status === "stopped" && <p role="status">Stopped.</p>}
      {status === "reconnecting" && <p role="status">The connection was lost. Reconnecting …</p>}
      {retry && <p role="status">Asking the model again …</p>}
      {(status === "failed" || status === "stopped") && messages.length > 0 && (
        <button onClick={resume}>Continue</button>
      )}
      {isBusy && (last?.role === "user" || last?.partial === false) && <p className="waiting">…</p>}
    </>
  );
}

function Composer({ thread: { send, stop, isBusy, unsent } }: { thread: Thread }) {
  const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isBusy) event.currentTarget.form?.requestSubmit();
  };
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = field.current!;
    if (!unsent) return;
    // A message that did not arrive is given back, before what was written since.
    area.value = [unsent, area.value].filter(Boolean).join("\n");
    return () => {
      if (area.value === unsent) area.value = ""; // it has arrived after all
    };
  }, [unsent]);
  return (
    <form action={(form) => send(String(form.get("text")))}>
      <textarea
        ref={field}
        name="text"
        aria-label="Message"
        placeholder="Write a message"
        rows={1}
        onKeyDown={sendOnEnter}
        autoFocus
        required
      />
      {isBusy ? (
        // The keys: a click that begins on one button does not end on the other.
        <button key="stop" type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button key="send" className="main">
          Send
        </button>
      )}
    </form>
  );
}

function Usage({ usage }: Pick<Thread, "usage">) {
  const { inputTokens = 0, outputTokens = 0, cost } = usage ?? {};
  const number = new Intl.NumberFormat("en");
  return (
    <p className="usage">
      {usage && `${number.format(inputTokens)} tokens in, ${number.format(outputTokens)} out`}
      {cost !== undefined && ` · $${cost.toFixed(4)}`}
    </p>
  );
}

interface Chat {
  id: string;
  title: string;
  updatedAt: number;
}

/** How many conversations `threadHandler()` lists at once. */
const pageSize = 50;

/** The conversations of the user, the latest first. */
function Chats({ id, status }: { id: string; status: Thread["status"] }) {
  const [chats, setChats] = useState<Chat[]>([]);
  const [pages, setPages] = useState(1);
  useEffect(() => {
    let isCurrent = true;
    listChats(pages)
      .then((found) => isCurrent && found && setChats(found))
      .catch(console.error);
    return () => {
      isCurrent = false;
    };
  }, [id, status, pages]);
  return (
    <nav>
      {chats.map((chat) => (
        <a key={chat.id} href={`#${chat.id}`} aria-current={chat.id === id ? "page" : undefined}>
          {chat.title}
        </a>
      ))}
      {chats.length === pages * pageSize && <button onClick={() => setPages(pages + 1)}>Older chats</button>}
    </nav>
  );
}

async function listChats(pages: number) {
  const chats: Chat[] = [];
  for (let page = 0; page < pages && chats.length === page * pageSize; page++) {
    const last = chats.at(-1);
    const after = last && new URLSearchParams({ after: `${last.updatedAt},${last.id}` });
    const response = await fetch(after ? `/api/chat?${after}` : "/api/chat");
    if (!response.ok) return undefined;
    chats.push(...((await response.json()) as { threads: Chat[] }).threads);
  }
  return chats;
}

const about: Promise<{ isScripted: boolean }> = fetch("/api/model").then((response) => response.json());

function ScriptNote() {
  if (!use(about).isScripted) return null;
  return (
    <p className="note">
      These answers are scripted. For a model, write <code>OPENAI_API_KEY=…</code> into <code>.env</code>, and
      start again.
    </p>
  );
}

function begin() {
  // crypto.randomUUID() is missing in pages without TLS.
  location.hash = crypto.getRandomValues(new Uint32Array(4)).join("-");
}

if (location.hash === "") begin();
createRoot(document.querySelector("#page")!).render(<Page />);
