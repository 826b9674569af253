import type { MessagesInput } from "../messages/to-messages.js";
import type { Placeholder } from "./placeholder.js";

/** A value for a variable in a text. It is converted with `String()` and never parsed as a template. */
export type PromptValue = string | number | bigint | boolean;

/** The variables of a template whose text is known only at run time. */
export type UnknownVariables = Readonly<Record<string, PromptValue | MessagesInput | undefined>>;

/** The variables in a text. */
export type TextVariables<Text extends string> = Simplify<VariablesNamed<NamesIn<Text>>>;

/** The variables of all parts of a chat prompt. */
export type ChatVariables<Parts extends readonly unknown[]> = Simplify<
  Intersection<PartVariables<Parts[number]>>
>;

/** The variables that are not yet set. */
export type Without<Variables, Names> = {
  [Name in keyof Variables as Name extends Names ? never : Name]: Variables[Name];
};

/** The names in a text that is known only at run time. */
interface AnyName {
  readonly known: false;
}

/** Reads names from one "{" to the next, as `readTemplate` does at run time. */
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
      : Part extends { readonly role: "tool" }
        ? unknown
        : Part extends
              | { readonly content: infer Content }
              | { readonly contentBlocks: infer Content }
              | { readonly parts: infer Content }
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
  : Block extends { readonly type: infer Type }
    ? Type extends TemplatedType
      ? NamesWithin<Block>
      : never
    : NamesWithin<Block>;

/** The types of blocks whose strings are templates, as named here and by OpenAI. Parts of Gemini have none. */
type TemplatedType =
  | "text"
  | "image"
  | "audio"
  | "video"
  | "file"
  | "text-plain"
  | "image_url"
  | "input_audio";

type NamesWithin<Value> = Value extends string
  ? NamesIn<Value>
  : Value extends readonly (infer Item)[]
    ? NamesWithin<Item>
    : Value extends object
      ? { [Key in keyof Value]-?: Key extends LiteralKey ? never : NamesWithin<Value[Key]> }[keyof Value]
      : never;

type LiteralKey = "type" | "detail" | "metadata" | "annotations" | "transcript" | "id";

/** The intersection of the members of a union. */
type Intersection<Union> = (Union extends unknown ? (_: Union) => void : never) extends (_: infer All) => void
  ? All
  : never;

/** The same fields as one object type, for readable hints in editors. */
type Simplify<Fields> = { [Name in keyof Fields]: Fields[Name] };
