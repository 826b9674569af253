import { isScripted } from "../lib/model.ts";
import { RecipePage } from "./recipe-page.tsx";

export const dynamic = "force-dynamic"; // whether there is a key is known when the server runs

export default function Page() {
  return <RecipePage isScripted={isScripted} />;
}
