import type { MessagesInput } from "../messages/to-messages.js";
import type { Placeholder } from "./placeholder.js";

/** What may stand in a text. It is written as `String()` writes it, and never read as a template again. */
export type PromptValue = string | number | bigint | boolean;

/** What a template wants, where its text is known only at run time. */
export type UnknownVariables = Readonly<Record<string, PromptValue | MessagesInput | undefined>>;

/** The variables of a text, by their names. */
export type TextVariables<Text extends string> = Simplify<VariablesNamed<NamesIn<Text>>>;

/** The variables of the parts of a chat prompt, all together. */
export type ChatVariables<Parts extends readonly unknown[]> = Simplify<
  Intersection<PartVariables<Parts[number]>>
>;

/** Without the variables that are given already. */
export type Without<Variables, Names> = {
  [Name in keyof Variables as Name extends Names ? never : Name]: Variables[Name];
};

/** Stands for the names of a text that the compiler does not know. */
interface AnyName {
  readonly known: false;
}

/** From one "{" to the next, as `readTemplate` does it at run time. */
type NamesIn<Text extends string, Found = never> = string extends Text
  ? AnyName
  : Text extends `${infer _Before}{${infer Rest}`
    ? Rest extends `{${infer After}`
      ? NamesIn<After, Found>
      : Rest extends `${infer Name}}${infer After}`
        ? NamesIn<After, Found | Name>
        : Found
    : Found;

type VariablesNamed<Names> = Readonly<Record<Exclude<Names, AnyName> & string, PromptValue>> &
  ([AnyName] extends [Names] ? UnknownVariables : unknown);

type PartVariables<Part> = Part extends string
  ? VariablesNamed<NamesIn<Part>>
  : Part extends Placeholder<infer Name, infer Optional>
    ? PlaceholderVariables<Name, Optional>
    : Part extends readonly [string, infer Content]
      ? ContentVariables<Content>
      : Part extends { readonly content: infer Content }
        ? ContentVariables<Content>
        : unknown;

type PlaceholderVariables<Name extends string, Optional extends boolean> = string extends Name
  ? UnknownVariables
  : Optional extends true
    ? Readonly<Partial<Record<Name, MessagesInput | undefined>>>
    : Readonly<Record<Name, MessagesInput>>;

type ContentVariables<Content> = Content extends string
  ? VariablesNamed<NamesIn<Content>>
  : Content extends readonly (infer Block)[]
    ? VariablesNamed<NamesInBlock<Block>>
    : unknown;

type NamesInBlock<Block> = Block extends string
  ? NamesIn<Block>
  : Block extends { readonly type: TemplatedType }
    ? NamesWithin<Block>
    : never;

/** The blocks whose texts are templates, in our words and in OpenAI's. */
type TemplatedType =
  "text" | "image" | "audio" | "video" | "file" | "text-plain" | "image_url" | "input_audio";

type NamesWithin<Value> = Value extends string
  ? NamesIn<Value>
  : Value extends readonly (infer Item)[]
    ? NamesWithin<Item>
    : Value extends object
      ? { [Key in keyof Value]-?: Key extends TakenAsItIs ? never : NamesWithin<Value[Key]> }[keyof Value]
      : never;

type TakenAsItIs = "type" | "detail" | "metadata" | "annotations";

/** What all members of a union have, in one. */
type Intersection<Union> = (Union extends unknown ? (_: Union) => void : never) extends (_: infer All) => void
  ? All
  : never;

/** The same fields, in one object that reads well. */
type Simplify<Fields> = { [Name in keyof Fields]: Fields[Name] };
