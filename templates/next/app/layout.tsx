import type { ReactNode } from "react";
import "./style.css";

export const viewport = { colorScheme: "light dark" };
export const metadata = { title: "my-app", icons: "data:," };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
