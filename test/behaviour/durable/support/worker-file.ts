/** One attempt at a run with a file journal. */
import { fileJournal } from "millrace/durable";
import { attempt, finish, place } from "./attempt.js";

const journal = fileJournal(place);
await finish(await attempt(journal));
await journal.close();
