import { grammarDialect } from "../dialect/grammar/schema.js";

/** The schemas of Ollama, whose server turns them into a grammar that the model must follow. */
export const ollamaSchema = grammarDialect("Ollama");
