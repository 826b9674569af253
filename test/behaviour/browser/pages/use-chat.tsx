import { createRoot } from "react-dom/client";
import { Chat } from "docs:use-chat";

const id = "1";
const response = await fetch(`/api/chat?id=${id}`);
const properties = { id, messages: (await response.json()) as never };
createRoot(document.querySelector("main") as HTMLElement).render(<Chat {...properties} />);
