import type { Operator } from "./operator.js";
import { stage } from "./stage.js";

export function map<In, Out>(project: (value: In, index: number) => Out): Operator<In, Out> {
  return stage((emit) => {
    let index = 0;
    return {
      next: (value) => {
        emit(project(value, index++));
      },
    };
  });
}
