import { defineEventHandler } from "h3";
import { isScripted } from "../model.ts";

export default defineEventHandler(() => ({ isScripted }));
