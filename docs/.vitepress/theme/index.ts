import type { Theme } from "vitepress";
// Without fonts: those of the reader's system do, and nothing has to be loaded for them.
import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme satisfies Theme;
