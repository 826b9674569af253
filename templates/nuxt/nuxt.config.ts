export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  css: ["~/style.css"],
  app: {
    head: {
      title: "my-app",
      htmlAttrs: { lang: "en" },
      meta: [{ name: "color-scheme", content: "light dark" }],
      link: [{ rel: "icon", href: "data:," }],
    },
  },
});
