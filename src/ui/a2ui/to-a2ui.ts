import { checkPatch } from "../../json/patch/check-patch.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { Projection } from "../../json/patch/project.js";
import type { JsonObject } from "../../json/value.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { type A2uiCatalogue, A2uiCatalogueSchema } from "./a2ui-catalogue.js";
import type { A2uiMessage } from "./a2ui-message.js";
import { dataModelOf, dataUpdate } from "./data-updates.js";
import { SurfaceMessages } from "./surface-messages.js";

/** The options of `toA2ui()`. */
export interface ToA2uiOptions {
  /** The surface whose data model is the value. Default: the value is all surfaces, as `fromA2ui()` yields them. */
  readonly surfaceId?: string;
  /** The keys that lead to the value in the data model. Default: `[]`, the value is the model. */
  readonly path?: readonly string[];
  /** The catalogue of a surface that the first message creates. Default: the surface exists. */
  readonly catalogId?: string;
  /** The components of that surface, sent once. Their properties refer to the data: `{"path": "/title"}`. */
  readonly components?: readonly JsonObject[];
  /**
   * Without `surfaceId`: a component that is still growing is sent when the catalogue allows it. Default: a component
   * is sent when it is complete, as a renderer throws an error for one that lacks a property.
   */
  readonly catalogue?: A2uiCatalogue;
  /** The version to write. In v1.0 a `null` removes. Default: `v0.9`. */
  readonly version?: "v0.9" | "v1.0";
}

const optionNames = {
  ...{ surfaceId: true, path: true, catalogId: true, components: true, catalogue: true, version: true },
} satisfies OptionNames<ToA2uiOptions>;

/**
 * Writes patches as messages of A2UI. Send each message as JSON: in a line, an event, or a part of A2A.
 *
 * With a `surfaceId`, the value is the data model of that surface. Its components are sent once, so only data streams.
 * Without one, the value is all surfaces, so `pipe(model, fromA2ui().patches, toA2ui())` passes on what a model writes:
 * repaired, without the messages that a renderer would refuse, and earlier. A renderer cannot remove a component.
 *
 * A2UI has no append: a text that grows is sent again with each operation. Put `throttle(50, { merge: joinPatches })`
 * before it, or the bytes are quadratic in the length of a text. A member is set and removed alone; so is the next
 * element of a list. Where else a list changes its length, the list is sent again, as a renderer would leave a hole.
 *
 * @throws {TypeError} for options that it does not know
 *
 * @example
 * ```ts
 * import { from, patchLines, pipe } from "millrace";
 * import { toA2ui } from "millrace/ui";
 *
 * const model = from(['{"op":"add","path":"/title","value":"T', 'ea"}']);
 * const messages = pipe(model, patchLines().patches, toA2ui({ surfaceId: "s" }));
 * for await (const message of messages) console.log(JSON.stringify(message));
 * ```
 *
 * ```text prints
 * {"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/","value":{"title":"T"}}}
 * {"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/title","value":"Tea"}}
 * ```
 */
export function toA2ui(options: ToA2uiOptions = {}): Operator<readonly AnyPatchOperation[], A2uiMessage> {
  checkOptions("toA2ui()", options, optionNames);
  const { surfaceId, path = [], catalogId, components = [], catalogue, version = "v0.9" } = options;
  if (surfaceId === undefined) {
    const schema = new A2uiCatalogueSchema(catalogue);
    return stage((emit) => {
      const writer = new SurfaceMessages(schema, version, emit);
      return {
        next: (patch) => {
          checkPatch(patch);
          writer.next(patch);
        },
        end: () => {
          writer.end();
        },
      };
    });
  }
  return stage((emit) => {
    let begun = false;
    const projection = new Projection(dataModelOf(version));
    return {
      next: (patch) => {
        checkPatch(patch);
        if (!begun && catalogId !== undefined) emit({ version, createSurface: { surfaceId, catalogId } });
        if (!begun && components.length > 0) {
          emit({ version, updateComponents: { surfaceId, components: structuredClone(components) } });
        }
        begun = true;
        for (const operation of projection.next(patch)) emit(dataUpdate(version, surfaceId, operation, path));
      },
    };
  });
}
