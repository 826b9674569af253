import { isScripted } from "../lib/model.ts";

export const load = () => ({ isScripted });
