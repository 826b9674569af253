import type { DocumentReader } from "../../../json/parser.js";
import type { JsonPatch } from "../../../json/patch/patch.js";
import { isObject, type JsonObject, type JsonValue, valueAt } from "../../../json/value.js";
import { quoted } from "../../../text/cut.js";
import { pointerTo } from "../../../tree/pointer.js";
import type { CallContext } from "../call-reader.js";
import { JsonArgs } from "./json-args.js";

const nameKeys = ["name", "function", "tool", "tool_name", "function_name"];
export const argsKeys: readonly string[] = ["arguments", "parameters", "args", "params"];
const otherKeys = ["id", "type", "call_id", "tool_call_id", "index"];
const callKeys: ReadonlySet<string> = new Set([...nameKeys, ...argsKeys, ...otherKeys]);

/** A call in a JSON document that is still being read. */
export class OpenCall {
  begun = false;
  private readonly context: CallContext;
  private readonly document: DocumentReader;
  /** The name, if it came before the document. */
  private readonly givenName: string | undefined;
  private name: string | undefined;
  /** More than one, if the key occurs twice. */
  private readonly namesSoFar = new Set<string>();
  /** Why its tool would run on a guess. */
  refusal: string | undefined;
  args: JsonArgs | undefined;
  private held = "";

  constructor(context: CallContext, document: DocumentReader, givenName: string | undefined) {
    this.context = context;
    this.document = document;
    this.givenName = givenName;
  }

  /** Returns the text by which the arguments grew; `undefined` if this is not a call. */
  follow(base: readonly string[], value: JsonValue, patch: JsonPatch): string | undefined {
    // Its paths are known, and never change.
    if (this.begun && this.name !== undefined && this.args !== undefined && isObject(value))
      return this.grow(patch);
    const paths = this.pathsOf(base, value);
    if (paths === undefined) return undefined;
    const { output, names } = this.context;
    const name = this.nameAt(paths.name);
    if (name !== undefined) this.namesSoFar.add(name);
    if (paths.args !== undefined) {
      this.args ??= new JsonArgs(paths.args, this.document.builder);
      this.held += this.args.write(patch);
    }
    if (!this.begun) {
      const isCall = this.isCall(name);
      if (isCall !== true) return isCall === false ? "" : undefined;
      this.begun = true;
      output.beginCall();
    }
    if (this.name === undefined && name !== undefined) {
      this.name = name;
      output.add({ name: names.resolve(name) });
    }
    return this.show();
  }

  /** The same, if a string in the document has grown, and nothing else has changed. */
  grow(patch: JsonPatch): string {
    this.held += this.args?.write(patch) ?? "";
    return this.begun ? this.show() : "";
  }

  private show(): string {
    const { held } = this;
    this.held = "";
    this.context.output.add({ args: held });
    return held;
  }

  /** Makes the call invalid. Its arguments have ended. */
  refuse(reason: string): void {
    if (this.isInvalid) return;
    this.refusal = reason;
    // Not valid JSON after an object.
    this.context.output.add({ args: "," });
  }

  /** Whether the call has no name, arguments that are no object, or another reading. */
  get isInvalid(): boolean {
    return (
      this.refusal !== undefined ||
      this.name === undefined ||
      this.args?.isRepeated === true ||
      this.args?.isList === true
    );
  }

  /** Why the complete object could be another call: it has two names, two arguments, or an argument beside them. */
  otherReadingOf(value: JsonValue): string | undefined {
    if (this.givenName !== undefined || !isObject(value)) return undefined;
    const inner = value["function"];
    if (isObject(inner)) {
      if (!isCallItself(value)) return this.otherReadingOf(inner);
      return 'The call has a name or arguments in "function" and beside it. Write both once.';
    }
    const found = new Set(this.namesSoFar);
    for (const key of nameKeys) if (typeof value[key] === "string") found.add(value[key]);
    const isParameter = this.parameters;
    if (found.size > 1) return `The call has several names: ${list([...found])}. Write one.`;
    const args = argsKeys.filter((key) => !isEmpty(value[key]));
    if (args.length > 1) return `The call has its arguments in ${list(args)}. Write them once.`;
    const beside = Object.keys(value).find((key) => !callKeys.has(key) && isParameter.has(key));
    return beside === undefined
      ? undefined
      : `The call has ${quoted(beside)} beside its arguments. Write it among them.`;
  }

  /** The names of the tool's parameters. */
  get parameters(): ReadonlySet<string> {
    return new Set(this.context.names.parameters(this.name ?? "").map(([key]) => key));
  }

  /** `false` if it is not known yet, `undefined` if this is not a call. */
  private isCall(name: string | undefined): boolean | undefined {
    const { names, isBare, mustName } = this.context;
    const isUnknown = name !== undefined && names.areKnown && names.find(name) === undefined;
    if (isUnknown && mustName) return undefined;
    if (this.args !== undefined) return !mustName || name !== undefined;
    return name !== undefined && (!isBare || names.areKnown) && this.document.scanner.done;
  }

  /** The paths of the name and the arguments, as far as they have begun. `undefined` if this is not a call. */
  private pathsOf(base: readonly string[], value: JsonValue): CallPaths | undefined {
    if (this.givenName !== undefined) return { args: base };
    if (!isObject(value)) return undefined;
    if (isObject(value["function"])) return this.pathsOf([...base, "function"], value["function"]);
    const name = nameKeys.find((key) => typeof value[key] === "string");
    const args = argsKeys.find((key) => key in value);
    const keys = Object.keys(value);
    // Once a call has begun, it may have any other key.
    const last = this.context.mustName ? [name, args] : [args];
    const end = last.includes(undefined)
      ? keys.length
      : Math.max(...last.map((key) => keys.indexOf(key ?? "")));
    if (!this.begun && keys.slice(0, end).some((key) => !callKeys.has(key))) return undefined;
    return {
      ...(name === undefined ? {} : { name: [...base, name] }),
      ...(args === undefined ? {} : { args: [...base, args] }),
    };
  }

  /** The name, when it is complete. */
  private nameAt(path: readonly string[] | undefined): string | undefined {
    if (this.givenName !== undefined) return this.givenName;
    if (path === undefined || !this.document.builder.isComplete(pointerTo(path))) return undefined;
    return valueAt(this.document.builder.value, path) as string;
  }
}

function list(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(" and ");
}

/** Whether an object with the key "function" has the keys of a call beside it. */
function isCallItself(value: JsonObject): boolean {
  return [...nameKeys, ...argsKeys].some((key) => key !== "function" && !isEmpty(value[key]));
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}

interface CallPaths {
  readonly name?: readonly string[];
  readonly args?: readonly string[];
}
