import type { TextToolCallsOptions } from "millrace";
import { describe, expect, test } from "vitest";
import { expectBlocks, readBlocks } from "./support/read-calls.js";

type Dialect = NonNullable<TextToolCallsOptions["dialect"]>;

const tools = [
  {
    name: "weather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer" },
        units: { type: "array", items: { type: "string" } },
      },
    },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
];
const prefix = ["antml", ""].join(":");
const oslo = ["weather", { city: "Oslo" }];
const full = ["weather", { city: 'He said "hi" \\ {x', days: 3, units: ["C", "F"] }];
const now = ["now", {}];

/** A call of each form, and one of the same with all types of arguments. */
const forms: Readonly<Record<string, { dialect: Dialect; call: string; full?: string; two: string }>> = {
  "DeepSeek V3": {
    dialect: "deepseek",
    call: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    full: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{"city": "He said \\"hi\\" \\\\ {x", "days": 3, "units": ["C", "F"]}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    two: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  "DeepSeek R1, in part": {
    dialect: "deepseek",
    call: '<｜tool▁calls｜>function<｜tool▁sep｜>weather\n```json\n{"city": "Oslo"}\n```\n<｜tool▁call▁end｜>',
    two: '<｜tool_calls_begin｜>function<｜tool▁sep｜>weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜>',
  },
  "DeepSeek V3.1": {
    dialect: "deepseek",
    call: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    two: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
  },
  "DeepSeek V3.2": {
    dialect: "deepseek",
    call: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    full: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">He said "hi" \\ {x</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n<｜DSML｜parameter name="units" string="false">["C", "F"]</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    two: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="weather">\n{"city": "Oslo"}\n</｜DSML｜invoke>\n<｜DSML｜invoke name="now">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  },
  "Kimi K2": {
    dialect: "kimi",
    call: '<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>',
    full: '<|tool_calls_section_begin|><|tool_call_begin|>weather:0 <|tool_call_argument_begin|> {"city": "He said \\"hi\\" \\\\ {x", "days": 3, "units": ["C", "F"]}<|tool_call_end|><|tool_calls_section_end|>',
    two: '<|tool_calls_section_begin|>\n<|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>\n<|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|>\n<|tool_calls_section_end|>',
  },
  "MiniMax M1": {
    dialect: "minimax",
    call: '<tool_calls>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_calls>',
    two: '<tool_calls>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n{"name": "now", "arguments": {}}\n</tool_calls>',
  },
  "MiniMax M2": {
    dialect: "minimax",
    call: '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n</minimax:tool_call>',
    full: '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">He said "hi" \\ {x</parameter>\n<parameter name="days">3</parameter>\n<parameter name="units">["C", "F"]</parameter>\n</invoke>\n</minimax:tool_call>',
    two: '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n<invoke name="now">\n</invoke>\n</minimax:tool_call>',
  },
  Claude: {
    dialect: "invoke",
    call: '<function_calls>\n<invoke name="weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n</function_calls>',
    full: '<function_calls>\n<invoke name="weather">\n<parameter name="city">\nHe said "hi" \\ {x\n</parameter>\n<parameter name="days">3</parameter>\n<parameter name="units">["C", "F"]</parameter>\n</invoke>\n</function_calls>',
    two: '<function_calls><invoke name="weather"><parameter name="city">Oslo</parameter></invoke><invoke name="now"></invoke></function_calls>',
  },
  "Claude, with a prefix and without a section": {
    dialect: "invoke",
    call: '<PREinvoke name="weather">\n<PREparameter name="city">Oslo</PREparameter>\n</PREinvoke>',
    two: '<PREinvoke name="weather">\n<PREparameter name="city">Oslo</PREparameter>\n</PREinvoke>\n<PREinvoke name="now">\n</PREinvoke>',
  },
  "Gemma 4": {
    dialect: "gemma",
    call: '<|tool_call>call:weather{city:<|"|>Oslo<|"|>}<tool_call|>',
    full: '<|tool_call>call:weather{city:<|"|>He said "hi" \\ {x<|"|>,days:3,units:[<|"|>C<|"|>,<|"|>F<|"|>]}<tool_call|>',
    two: '<|tool_call>call:weather{city:<|"|>Oslo<|"|>}<tool_call|><|tool_call>call:now{}<tool_call|>',
  },
  FunctionGemma: {
    dialect: "gemma",
    call: "<start_function_call>call:weather{city:<escape>Oslo<escape>}<end_function_call>",
    full: '<start_function_call>call:weather{city:<escape>He said "hi" \\ {x<escape>,days:3,units:[<escape>C<escape>,<escape>F<escape>]}<end_function_call>',
    two: "<start_function_call>call:weather{city:<escape>Oslo<escape>}<end_function_call><start_function_call>call:now{}<end_function_call><start_function_response>",
  },
  "gpt-oss": {
    dialect: "gpt-oss",
    call: '<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>',
    full: '<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city": "He said \\"hi\\" \\\\ {x", "days": 3, "units": ["C", "F"]}<|call|>',
    two: '<|channel|>commentary to=functions.weather<|message|>{"city": "Oslo"}<|call|><|start|>assistant<|channel|>commentary to=functions.now json<|message|>{}<|call|>',
  },
  "gpt-oss, with the recipient first": {
    dialect: "gpt-oss",
    call: '<|start|>assistant to=functions.weather<|channel|>commentary json<|message|>{"city": "Oslo"}<|call|>',
    two: '<|start|>assistant to=functions.weather<|channel|>commentary <|constrain|>json<|message|>{"city": "Oslo"}<|call|><|start|>assistant to=functions.now<|channel|>analysis<|message|>{}<|call|>',
  },
  LongCat: {
    dialect: "hermes",
    call: '<longcat_tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</longcat_tool_call>',
    two: '<longcat_tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</longcat_tool_call>\n<longcat_tool_call>\n{"name": "now", "arguments": {}}\n</longcat_tool_call>',
  },
  "Nemotron 2": {
    dialect: "hermes",
    call: '<TOOLCALL>[{"name": "weather", "arguments": {"city": "Oslo"}}]</TOOLCALL>',
    two: '<TOOLCALL>[{"name": "weather", "arguments": {"city": "Oslo"}}, {"name": "now", "arguments": {}}]</TOOLCALL>',
  },
  "Command R7B": {
    dialect: "hermes",
    call: '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "weather", "parameters": {"city": "Oslo"}}]<|END_ACTION|>',
    two: '<|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "weather", "parameters": {"city": "Oslo"}},\n{"tool_call_id": "1", "tool_name": "now", "parameters": {}}\n]<|END_ACTION|>',
  },
  LFM2: {
    dialect: "python",
    call: '<|tool_call_start|>[weather(city="Oslo")]<|tool_call_end|>',
    full: '<|tool_call_start|>[weather(city="He said \\"hi\\" \\\\ {x", days=3, units=["C", "F"])]<|tool_call_end|>',
    two: '<|tool_call_start|>[weather(city="Oslo"), now()]<|tool_call_end|>',
  },
  "OLMo 3": {
    dialect: "python",
    call: '<function_calls>\nweather(city="Oslo")\n</function_calls>',
    two: '<function_calls>\nweather(city="Oslo")\nnow()\n</function_calls>',
  },
  Seed: {
    dialect: "qwen-xml",
    call: "<seed:tool_call>\n<function=weather>\n<parameter=city>Oslo</parameter>\n</function>\n</seed:tool_call>",
    two: "<seed:tool_call>\n<function=weather>\n<parameter=city>Oslo</parameter>\n</function>\n<function=now>\n</function>\n</seed:tool_call>",
  },
  "GLM 4.5": {
    dialect: "glm-xml",
    call: "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
    full: '<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>He said "hi" \\ {x</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>units</arg_key>\n<arg_value>["C", "F"]</arg_value>\n</tool_call>',
    two: "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\n<tool_call>now\n</tool_call>",
  },
};

describe.each(Object.entries(forms))("%s", (_, form) => {
  const { dialect } = form;
  const [call, two, all] = [form.call, form.two, form.full ?? ""].map((text) =>
    text.replaceAll("PRE", prefix),
  );
  const text = call as string;

  test("one call, by its dialect and by itself", async () => {
    await expectBlocks(text, { dialect, tools }, [oslo]);
    await expectBlocks(text, { tools }, [oslo]);
    expect(await readBlocks([text], {})).toMatchObject([{ type: "tool_call", name: "weather" }]);
  });

  test("two calls with text before and after", async () => {
    await expectBlocks(`I look.\n\n${two}\n`, { dialect, tools }, ["I look.\n\n", oslo, now]);
  });

  test("values of all types", () =>
    all === "" ? undefined : expectBlocks(all as string, { dialect, tools }, [full]));

  test("in quotes, in a sentence and in fences it is text", async () => {
    for (const quoted of [
      `Write \`${text}\` to look.`,
      `Write "${text}" to look.`,
      `To look, write ${text} in your answer.`,
      `For example:\n\`\`\`\n${text}\n\`\`\`\nDone.`,
      `For example:\n~~~xml\n${text}\n~~~\nDone.`,
      `<think>Maybe ${text}</think>Done.`,
      `<thinking>\n${text}\n</thinking>\nDone.`,
    ]) {
      await expectBlocks(quoted, { tools }, [quoted]);
    }
  });

  test("cut anywhere, it is not run with a part of its arguments", async () => {
    for (let length = 1; length < text.length; length++) {
      for (const block of await readBlocks([text.slice(0, length)], { dialect, tools })) {
        if (block.type === "tool_call") expect(block.args).toEqual({ city: "Oslo" });
      }
    }
  });
});
