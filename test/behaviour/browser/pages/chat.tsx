import { createRoot } from "react-dom/client";
import { Chat } from "docs:chat";

createRoot(document.querySelector("main") as HTMLElement).render(<Chat id="1" />);
