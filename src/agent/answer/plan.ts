import type { ChatModel } from "../../models/contract/chat-model.js";
import { invalidRequest, type ModelError } from "../../models/contract/errors.js";
import { jsonInstructions } from "../../parsers/json/instructions.js";
import type { CoerceOptions } from "../../schema/coerce/coerce-value.js";
import { membersOf } from "../../schema/members-of.js";
import type { Schema } from "../../schema/schema.js";
import { schemaOf } from "../../schema/schema-of.js";
import { unionOf } from "../../schema/union-of.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { AgentOptions } from "../agent-options.js";
import { madeOnce } from "../../tree/made-once.js";
import { invalidOptions } from "../errors.js";
import {
  type AgentResponseFormat,
  type FormatParts,
  type HandleError,
  parseFormat,
} from "./response-format.js";
import { textTarget, type TargetSchema, toolTargets } from "./target.js";

/** The options of an agent that apply to all its plans. */
type PlanOptions = Pick<CoerceOptions, "locale"> &
  Required<Pick<AgentOptions, "failFast" | "append" | "items" | "coerce">>;

/** How a model call asks for the structured response. */
export interface Plan extends PlanOptions {
  readonly kind: "tool" | "provider" | "prompt";
  readonly targets: readonly TargetSchema[];
  readonly strict: boolean | undefined;
  readonly handleError: HandleError;
  readonly toolMessageContent: string | undefined;
  /** Asks for the response in the system prompt, if no other part of the request does. */
  readonly instructions: string | undefined;
  /** Whether another kind is used if the provider refuses this one. */
  readonly fallback: boolean;
}

/** The parts of a model call that decide how it asks for the response. */
export interface PlannedCall {
  /** `undefined` if it is not loaded yet. */
  readonly model: ChatModel | undefined;
  readonly tools: readonly AnyTool[];
  readonly responseFormat: AgentResponseFormat | undefined;
  /** Whether the provider has refused to enforce the schema. Then a tool asks for the response, otherwise the prompt. */
  readonly unenforced?: boolean;
}

/** Makes plans and caches them by response format, so that each schema is converted once. */
export class Planner {
  private readonly options: PlanOptions;
  private readonly read = madeOnce(readFormat);

  constructor({
    failFast = true,
    append = false,
    items = false,
    coerce = true,
    locale,
  }: Partial<PlanOptions>) {
    this.options = { failFast, append, items, coerce, locale };
  }

  /**
   * The plan of a call; `undefined` without a response format, and if it depends on a model that is not loaded yet.
   *
   * @throws {AgentError} `invalid_options` if there is no schema, one that a tool cannot have, or one that the model
   *   cannot enforce beside tools
   * @throws {SchemaError} if a schema is invalid or cannot be converted to JSON Schema
   */
  plan({ model, tools, responseFormat, unenforced }: PlannedCall): Plan | undefined {
    if (responseFormat === undefined) return undefined;
    const format = this.read(responseFormat);
    const { kind } = format.parts;
    if (model !== undefined) {
      const isRefused = unenforced ?? this.obstacle({ model, tools, responseFormat }) !== undefined;
      return this.planOf(format, kindFor(format, model, tools.length > 0, isRefused));
    }
    return kind === "auto" ? undefined : this.planOf(format, kind);
  }

  /**
   * Why `providerStrategy()` cannot be used for a call; `undefined` if it can.
   *
   * @throws {AgentError} `invalid_options` if the strategy has no fallback
   */
  obstacle({ model, tools, responseFormat }: PlannedCall): ModelError | undefined {
    if (model === undefined || responseFormat === undefined || tools.length === 0) return undefined;
    const { kind, fallback } = this.read(responseFormat).parts;
    if (kind !== "provider" || model.profile.structuredOutputWithTools !== false) return undefined;
    const problem = `${model.model} (${model.provider}) cannot enforce a schema beside tools, as providerStrategy() asks. Use toolStrategy(), the schema without a strategy, or no tools.`;
    if (fallback === false) throw invalidOptions(problem);
    return invalidRequest(problem);
  }

  /** The schema with this name. A resumed run may have asked for it in the other way. */
  target(call: PlannedCall, name: string): TargetSchema | undefined {
    const plan = this.plan(call);
    const found = plan?.targets.find((it) => it.name === name);
    if (found !== undefined || plan === undefined || call.responseFormat === undefined) return found;
    const format = this.read(call.responseFormat);
    if (format.parts.kind !== "auto" && format.parts.kind !== "provider") return undefined;
    const other = this.planOf(format, plan.kind === "tool" ? "provider" : "tool");
    return other.targets.find((it) => it.name === name);
  }

  private planOf(format: CachedFormat, kind: Plan["kind"]): Plan {
    return (format[kind] ??= this.createPlan(format, kind));
  }

  private createPlan({ parts, members }: CachedFormat, kind: Plan["kind"]): Plan {
    const { schemas, strict, handleError = true, toolMessageContent, instructions: form } = parts;
    const targets =
      kind === "tool"
        ? toolTargets(members)
        : [textTarget(unionOf(schemas.map((it) => schemaOf(it))), this.options.coerce)];
    const instructions = kind === "prompt" ? jsonInstructions(targets[0]?.schema, form) : undefined;
    return {
      ...{ kind, targets, strict, handleError, toolMessageContent, instructions },
      ...this.options,
      fallback: parts.kind === "auto" || parts.fallback !== false,
    };
  }
}

/** A response format, and the plans that were needed so far. */
interface CachedFormat {
  readonly parts: FormatParts;
  /** Its schemas, and instead of each union the members of that union. */
  readonly members: readonly Schema<unknown>[];
  tool?: Plan;
  provider?: Plan;
  prompt?: Plan;
}

function readFormat(responseFormat: AgentResponseFormat): CachedFormat {
  const parts = parseFormat(responseFormat);
  if (parts.schemas.length === 0) {
    throw invalidOptions("responseFormat is an empty array. Add at least one schema.");
  }
  return { parts, members: parts.schemas.flatMap(membersOf) };
}

function kindFor(
  { parts, members }: CachedFormat,
  model: ChatModel,
  hasTools: boolean,
  unenforced: boolean,
): Plan["kind"] {
  const { structuredOutput, structuredOutputWithTools, textToolCalls } = model.profile;
  const toolCalling = model.profile.toolCalling || textToolCalls !== undefined;
  if (parts.kind !== "auto" && !(parts.kind === "provider" && unenforced)) return parts.kind;
  // Not all providers accept a union as the root of a schema.
  const fits = members.length === 1 || !toolCalling;
  // A schema for the text leaves no room for calls in it.
  const withTools = structuredOutputWithTools === true && textToolCalls === undefined;
  if (structuredOutput && !unenforced && fits && (!hasTools || withTools)) return "provider";
  return toolCalling ? "tool" : "prompt";
}
