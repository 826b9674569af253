import type { JsonObject, JsonValue } from "../../json/value.js";

/** The versions of A2UI that are read. */
export const a2uiVersions = ["v0.9", "v0.9.1", "v1.0"] as const;

/** A message of A2UI from an agent to a renderer, as `toA2ui()` writes it. */
export type A2uiMessage =
  | (Versioned & { readonly createSurface: A2uiCreateSurface })
  | (Versioned & {
      readonly updateComponents: { readonly surfaceId: string; readonly components: readonly JsonObject[] };
    })
  | (Versioned & {
      readonly updateDataModel: {
        readonly surfaceId: string;
        readonly path: string;
        /** In v0.9, a message without it removes what is there. */
        readonly value?: JsonValue;
      };
    })
  | (Versioned & { readonly deleteSurface: { readonly surfaceId: string } });

interface Versioned {
  readonly version: "v0.9" | "v1.0";
}

interface A2uiCreateSurface {
  readonly surfaceId: string;
  readonly catalogId?: string;
  readonly theme?: JsonValue;
  readonly sendDataModel?: boolean;
  readonly metadata?: JsonValue;
}

/** The surfaces of a renderer, by id. */
export type A2uiSurfaces = Readonly<Record<string, A2uiSurface>>;

/** One surface of a renderer. */
export interface A2uiSurface {
  readonly catalogId?: string;
  readonly theme?: JsonValue;
  readonly sendDataModel?: boolean;
  /** The components by id. One is `root`. */
  readonly components: Readonly<Record<string, JsonObject>>;
  /** Absent if the whole model was removed. */
  readonly dataModel?: JsonValue;
}

/** The members of a message, of which it has exactly one. */
export const a2uiKinds = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"] as const;
export type A2uiKind = (typeof a2uiKinds)[number];
