/**
 * @file Matches the steps of an edited plan with those of the original. Steps have no ids, so they are matched by content: a
 * step counts as unchanged even if other steps are removed, added or moved.
 */
import type { Step, Workflow } from '../../../core/contract';

type IsLike = (before: Step, after: Step, places: readonly [number, number]) => boolean;

/**
 * The rules that pair two steps, best match first. Changed steps are paired too, because a step that sees a changed
 * step may itself be unchanged.
 */
const LIKENESSES: readonly IsLike[] = [
  (before, after, [from, to]) => from === to && isSameRequest(before, after) && sameSet(before.access, after.access),
  (before, after) => isSameRequest(before, after) && before.access.length === after.access.length,
  isSameRequest,
  (before, after) => before.subtask === after.subtask,
  (before, after, [from, to]) => from === to && before.worker === after.worker,
  (before, after) => before.worker === after.worker,
  (_before, _after, [from, to]) => from === to,
];

/**
 * For each step of `current`, its 0-based index in `written`. `null` if the step was changed or added.
 * An unchanged step has the same worker, subtask and `seesEarlier`. It sees the same steps, even if those steps
 * were moved or changed.
 */
export function unchangedOrigins(written: Workflow, current: Workflow): (number | null)[] {
  const origins = pairs(written, current);
  return current.steps.map((step, index) => {
    const origin = origins[index] ?? null;
    const before = origin === null ? undefined : written.steps[origin];
    if (!before || !isSameRequest(before, step)) return null;
    // `indexOf` gives -1 for a removed step. A step that saw the removed step therefore counts as changed.
    const seen = before.access.map((place) => origins.indexOf(place));
    return sameSet(seen, step.access) ? origin : null;
  });
}

/** For each step of `current`, the index of the step of `written` that it is paired with. No index is used twice. */
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

function isSameRequest(before: Step, after: Step): boolean {
  return (
    before.worker === after.worker &&
    before.subtask === after.subtask &&
    (before.seesEarlier ?? false) === (after.seesEarlier ?? false)
  );
}

function sameSet(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}
