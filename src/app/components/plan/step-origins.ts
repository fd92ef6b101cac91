/**
 * @file Which step of a plan as it was written each step of the edited plan is. Runs keep both plans and no names of steps, so
 * they are told by content: a step stays the same where others were removed, added or moved.
 */
import type { Step, Workflow } from '../../../core/contract';

type IsLike = (before: Step, after: Step, places: readonly [number, number]) => boolean;

/** The likest first. What is not the same is paired too, since a later step may see it as it saw it before. */
const LIKENESSES: readonly IsLike[] = [
  (before, after, [from, to]) => from === to && asksSame(before, after) && sameSet(before.access, after.access),
  (before, after) => asksSame(before, after) && before.access.length === after.access.length,
  asksSame,
  (before, after) => before.subtask === after.subtask,
  (before, after, [from, to]) => from === to && before.worker === after.worker,
  (before, after) => before.worker === after.worker,
  (_before, _after, [from, to]) => from === to,
];

/**
 * For each step of `current` the 0-based place in `written` of the step that it still is: the same worker, the same subtask,
 * and the same steps in view, wherever those stand now. `null` for one that was changed or added.
 */
export function unchangedOrigins(written: Workflow, current: Workflow): (number | null)[] {
  const origins = pairs(written, current);
  return current.steps.map((step, index) => {
    const origin = origins[index] ?? null;
    const before = origin === null ? undefined : written.steps[origin];
    if (!before || !asksSame(before, step)) return null;
    // One that was removed is nowhere now.
    const seen = before.access.map((place) => origins.indexOf(place));
    return sameSet(seen, step.access) ? origin : null;
  });
}

/** For each step of `current` the one of `written` that it was or came from; no step of `written` twice. */
function pairs(written: Workflow, current: Workflow): (number | null)[] {
  const origins = current.steps.map((): number | null => null);
  for (const isLike of LIKENESSES) {
    for (const [to, after] of current.steps.entries()) {
      if (origins[to] !== null) continue;
      const from = written.steps.findIndex(
        (before, place) => !origins.includes(place) && isLike(before, after, [place, to]),
      );
      if (from >= 0) origins[to] = from;
    }
  }
  return origins;
}

function asksSame(before: Step, after: Step): boolean {
  return before.worker === after.worker && before.subtask === after.subtask;
}

function sameSet(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}
