import type { Case, Suite } from "./suite.js";

/** Cases that take turns. */
export type Group = readonly [Case, ...Case[]];

/** The groups of a round in order. Decisive groups run three times, so no single process or slow minute decides a goal. */
export function roundOf(cases: readonly Case[], decisive: Suite["decisive"] = () => false): readonly Group[] {
  const groups = groupsOf(cases);
  const decides = (group: Group): boolean => group.some(({ id }) => decisive(id));
  const deciding = groups.filter(decides);
  const others = groups.filter((group) => !decides(group));
  const third = Math.ceil(others.length / 3);
  return [0, 1, 2].flatMap((turn) => [...deciding, ...others.slice(turn * third, (turn + 1) * third)]);
}

function groupsOf(cases: readonly Case[]): readonly Group[] {
  const groups: [Case, ...Case[]][] = [];
  for (const it of cases) {
    const last = groups.at(-1);
    if (last !== undefined && nameOf(it) !== undefined && nameOf(it) === nameOf(last[0])) last.push(it);
    else groups.push([it]);
  }
  return groups;
}

function nameOf(it: Case): string | undefined {
  return "group" in it ? it.group : undefined;
}
