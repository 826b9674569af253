import { type Component, defineComponent, h, ref } from "vue";

const command = "npm install millrace zod";

/** The command that installs the package, with a button that copies it. */
export const InstallLine: Component = defineComponent(() => {
  const copied = ref(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    copied.value = true;
  };
  return () =>
    h("p", { class: "install" }, [
      h("code", command),
      h("button", { type: "button", onClick: copy }, copied.value ? "Copied" : "Copy"),
    ]);
});
