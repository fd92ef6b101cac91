/**
 * @file The gate decides whether a policy trained in the browser may replace the policy in use.
 *
 * On held-out items and workers, the new policy must not lose to the policy in use or to the heuristic Conductor. For
 * each of these two rivals, the 95 % interval of the paired difference in the share of right answers must lie above
 * `-TOLERATED_LOSS`, and the upper end of the interval must be at least 0. A rule that compares only means would
 * decide by chance between policies that are about equal.
 *
 * A policy that is certainly worse is rejected even when the loss is small. Otherwise it would become the reference for the next
 * comparison, and small losses would add up.
 *
 * A policy can save calls with lenient checkers, whose checks settle wrong answers. So the answers that its checks settle must be
 * right nearly as often as those of the rules, and the steps that it skips must not be worth calling.
 */
import { mixSeed, type HeldOut, type Interval, type KeptPolicy, type PolicyFile } from '../../contract';
import { settledPrecision } from './settling';

/** The size of a comparison: its items (questions with a pool), and the population of workers from which the pools are drawn. */
export interface TrialScale {
  readonly items: number;
  readonly workers: number;
  /** Number of graded runs in the workers' histories. */
  readonly runs: number;
  /** Number of different questions in those runs. */
  readonly questions: number;
}

/**
 * With this scale, a paired interval extends about one percentage point to each side of the mean. This equals `TOLERATED_LOSS`.
 * A comparison takes half a minute.
 */
export const TRIAL_SCALE: TrialScale = { items: 4_000, workers: 240, runs: 6_000, questions: 300 };

/**
 * The seed of a candidate's comparison, derived from its weights. The same weights always get the same items, so
 * importing them again cannot change the result. Different weights get different items, so repeated training does not
 * overfit to one set of items.
 */
export function trialSeed({ weights }: PolicyFile): number {
  return mixSeed('trial', weights);
}

/** Tolerated loss in the share of right answers: one percentage point. */
const TOLERATED_LOSS = 0.01;

/** How much less often the answers that checks settle may be right than with the rules: two percentage points. */
const TOLERATED_IMPRECISION = 0.02;

/** How many more answers the skipped steps may repair than break, as a share of all questions: one percentage point. */
const TOLERATED_REPAIRS = 0.01;

/** Whether the candidate passes the gate. */
export function mayBeUsed(heldOut: HeldOut): boolean {
  const { heuristic, inUse } = heldOut;
  return [heuristic, inUse].every(({ lead }) => isAcceptable(lead)) && settlingProblems(heldOut).length === 0;
}

/** Why the policy must not skip settled steps, in words. Comparisons by older versions did not measure it, so they have no problem. */
function settlingProblems({ items, candidate, heuristic }: HeldOut): string[] {
  if (!candidate.settling || !heuristic.settling) return [];
  const [own, rules] = [settledPrecision(candidate.settling), settledPrecision(heuristic.settling)];
  const { repaired, broken } = candidate.settling;
  const gain = (repaired - broken) / Math.max(1, items);
  return [
    ...(own !== null && rules !== null && own < rules - TOLERATED_IMPRECISION
      ? [`its checks settle answers that are right less often than with the heuristic (${points(own - rules)} points)`]
      : []),
    ...(gain > TOLERATED_REPAIRS
      ? [`the steps that it skips would have made ${points(gain)} points more answers right`]
      : []),
  ];
}

function isAcceptable({ low, high }: Interval): boolean {
  return low > -TOLERATED_LOSS && high >= 0;
}

/** Whether the comparison used fewer items than a new comparison would use. */
export function isCoarse({ items }: HeldOut): boolean {
  return items < TRIAL_SCALE.items;
}

/**
 * Whether a stored policy may replace the policy in use. It must have passed a comparison with the policy in use. A policy that
 * was in use before needs no comparison, because the user may always return to it.
 * @param inUse revision of the policy in use
 */
export function mayReplace({ heldOut, wasUsed = false }: KeptPolicy, inUse: string): boolean {
  return wasUsed || (heldOut !== null && heldOut.inUse.revision === inUse && mayBeUsed(heldOut));
}

/** The result of a comparison as a text for the user. */
export function verdictWords(heldOut: HeldOut): string {
  const rivals = [
    { name: 'the policy in use', lead: heldOut.inUse.lead },
    { name: 'the heuristic', lead: heldOut.heuristic.lead },
  ];
  if (mayBeUsed(heldOut)) {
    return `You can use this policy: it ${rivals.map(({ name, lead }) => acceptableLead(lead, name)).join(' and ')}.`;
  }
  const lost = rivals.filter(({ lead }) => !isAcceptable(lead)).map(({ name, lead }) => unacceptableLead(lead, name));
  return `You can’t use this policy: ${[...lost, ...settlingProblems(heldOut)].join(', and ')}.`;
}

function acceptableLead({ mean, low, high }: Interval, rival: string): string {
  if (low > 0) return `is better than ${rival} (${points(mean)} points, 95 % interval above 0)`;
  if (low === 0 && high === 0) return `is right as often as ${rival}`;
  const finding = mean < 0 ? 'is less than a point behind' : 'does not lose to';
  return `${finding} ${rival} (${points(mean)} points, 95 % interval from ${points(low)} to ${points(high)})`;
}

function unacceptableLead({ mean, low, high }: Interval, rival: string): string {
  if (high < 0) return `it loses to ${rival} (${points(mean)} points, 95 % interval below 0)`;
  return `it may be a point or more behind ${rival} (${points(mean)} points, 95 % interval from ${points(low)} to ${points(high)})`;
}

/** Formats a difference of shares as signed percentage points: `+2.5`, `−0.3`. */
export function points(difference: number): string {
  const value = Math.abs(100 * difference).toFixed(1);
  return `${difference < 0 ? '−' : '+'}${value}`;
}
