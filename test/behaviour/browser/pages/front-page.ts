import { createApp, h } from "vue";
import { InstallLine } from "../../../../docs/.vitepress/theme/install-line.js";
import { LiveDemo } from "../../../../docs/.vitepress/theme/live-demo.js";

createApp({ render: () => [h(InstallLine), h(LiveDemo)] }).mount("main");
