import { modelLaws } from "millrace/testing";
import { describe, test } from "vitest";
import { libraryWires, providerWires, readByModel } from "./support/wires.js";

const subjects = [
  ...providerWires.map(({ name, wire }) => [`the decoder of ${name}`, modelLaws(wire)] as const),
  ...providerWires.map((it) => [`the model of ${it.name}`, modelLaws(readByModel(it))] as const),
  ...libraryWires.map(({ name, wire }) => [`the stream of ${name}`, modelLaws(wire)] as const),
];

describe.each(subjects)("%s", (_, laws) => {
  test.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
