/**
 * @file Groups the lists in a Conductor's answer into workflows. A workflow has three lists: `model_id`, `subtasks` and
 * `access_list`. An answer can have more lists, because models draft, repeat and correct their answers. The lists that are
 * closest together form a workflow.
 */
import { LIST_NAMES, type FoundList, type ListName } from './find-lists';
import { THINK_TAG } from './thought';

/** The three lists of a workflow. */
export type Triple = Readonly<Record<ListName, FoundList>>;

/** The workflows that the lists can form, in text order. No list belongs to two workflows. */
export function triplesOf(lists: readonly FoundList[]): Triple[] {
  const triples: Triple[] = [];
  let end = lists.length;
  while (end >= 3) {
    const closest = closestBefore(lists, end);
    if (closest) triples.push(closest.triple);
    end = closest ? closest.from : end - 1;
  }
  if (triples.length > 0) return triples.reverse();
  const scattered = tripleOf(lists);
  return scattered ? [scattered] : [];
}

/**
 * Compares three groups of three consecutive lists: the last three lists before `end`, and the groups that begin one and two
 * lists earlier. Returns the group with the least text between its lists. `null`: no group forms a workflow.
 */
function closestBefore(lists: readonly FoundList[], end: number): { triple: Triple; from: number } | null {
  let best: { triple: Triple; from: number } | null = null;
  let least = Infinity;
  for (let from = end - 3; from >= Math.max(0, end - 5); from--) {
    const [one, two, three] = [lists[from], lists[from + 1], lists[from + 2]];
    if (!one || !two || !three || one.name === two.name || two.name === three.name || one.name === three.name) continue;
    const triple = tripleOf([one, two, three]);
    const gap = two.from - one.end + three.from - two.end;
    if (!triple || gap >= least) continue;
    best = { triple, from };
    least = gap;
  }
  return best;
}

/** @returns the last list of each name, or `null` if a list is missing or a `barrier` separates the lists */
function tripleOf(lists: readonly FoundList[]): Triple | null {
  const [model_id, subtasks, access_list] = LIST_NAMES.map((name) => lists.findLast((list) => list.name === name));
  if (!model_id || !subtasks || !access_list) return null;
  const chosen = [model_id, subtasks, access_list];
  const together = chosen.every((list) => chosen.every((other) => other.from >= list.barrier));
  return together ? { model_id, subtasks, access_list } : null;
}

/** The offset where the name of the first list begins. */
export function beginOf(triple: Triple): number {
  return Math.min(...LIST_NAMES.map((name) => triple[name].from));
}

/** The offset just after the last list. */
export function endOf(triple: Triple): number {
  return Math.max(...LIST_NAMES.map((name) => triple[name].end));
}

/**
 * The lists after the last closing think tag, or all lists if no list follows that tag. Tags inside lists are ignored.
 */
export function afterThinking(text: string, lists: readonly FoundList[]): readonly FoundList[] {
  let closed = -1;
  let next = 0;
  for (const tag of text.matchAll(THINK_TAG)) {
    while ((lists[next]?.end ?? Infinity) <= tag.index) next++;
    const inside = (lists[next]?.from ?? Infinity) < tag.index;
    if (tag[1] === '/' && !inside) closed = tag.index;
  }
  const after = lists.filter((list) => list.from > closed);
  return after.length > 0 ? after : lists;
}
