import { createSSRApp } from "vue";
import { App } from "./vue-app.js";

createSSRApp(App).mount("main");
