/**
 * @file The gate: when a policy that was trained here may plan in the place of the one in use. On items that nobody was
 * trained on, with workers that no training item held, it must not lose to the policy in use, nor to the heuristic Conductor:
 * the 95 % interval of each paired difference lies above a small loss that is tolerated, and reaches 0. A mean alone would let
 * one in two pass that is a little worse, and turn away one in two that is as good. Whoever is certainly worse, however little,
 * is turned away: it would be the next one's yardstick, and small losses would add up.
 */
import { mixSeed, type HeldOut, type Interval, type KeptPolicy, type PolicyFile } from '../contract';
import { TRIAL_SCALE } from './orders';

/**
 * The seed of a candidate's comparison, from its weights: the same weights always meet the same items, however often they are
 * compared or imported, and other weights meet others, so that trying again does not select on one set of items.
 */
export function trialSeed({ weights }: PolicyFile): number {
  return mixSeed('trial', weights);
}

/** One point: a policy that may be so far behind is not used, even where it may be as good. */
export const TOLERATED_LOSS = 0.01;

export function mayBeUsed({ heuristic, inUse }: HeldOut): boolean {
  return [heuristic, inUse].every(({ lead }) => keepsUp(lead));
}

function keepsUp({ low, high }: Interval): boolean {
  return low > -TOLERATED_LOSS && high >= 0;
}

/** Whether the comparison was made with fewer items than are played now, so that another one can tell more. */
export function isCoarse({ items }: HeldOut): boolean {
  return items < TRIAL_SCALE.items;
}

/**
 * Whether a kept policy may take the place of the one in use now: it was compared with that very one and lost to nobody, or it
 * has been in use before, and to go back is always allowed.
 * @param inUse revision of the policy in use
 */
export function mayReplace({ heldOut, wasUsed = false }: KeptPolicy, inUse: string): boolean {
  return wasUsed || (heldOut !== null && heldOut.inUse.revision === inUse && mayBeUsed(heldOut));
}

/** What came of a comparison, in one or two plain sentences. */
export function verdictWords(heldOut: HeldOut): string {
  const rivals = [
    { who: 'the policy in use', lead: heldOut.inUse.lead },
    { who: 'the heuristic', lead: heldOut.heuristic.lead },
  ];
  if (mayBeUsed(heldOut)) {
    return `It may be used: it ${rivals.map(({ who, lead }) => beside(lead, who)).join(' and ')}.`;
  }
  const against = rivals.filter(({ lead }) => !keepsUp(lead));
  return `It may not be used: ${against.map(({ who, lead }) => behind(lead, who)).join(', and ')}.`;
}

function beside({ mean, low, high }: Interval, who: string): string {
  if (low > 0) return `is better than ${who} (${points(mean)} points, its 95 % interval above 0)`;
  if (low === 0 && high === 0) return `is right as often as ${who}`;
  const finding = mean < 0 ? 'is less than a point behind' : 'does not lose to';
  return `${finding} ${who} (${points(mean)} points, its 95 % interval from ${points(low)} to ${points(high)})`;
}

function behind({ mean, low, high }: Interval, who: string): string {
  if (high < 0) return `it loses to ${who} (${points(mean)} points, its 95 % interval below 0)`;
  return `it may be a point or more behind ${who} (${points(mean)} points, its 95 % interval from ${points(low)} to ${points(high)})`;
}

/** A difference of shares in percentage points, with its sign: `+2.5`, `−0.3`. */
export function points(difference: number): string {
  const value = Math.abs(100 * difference).toFixed(1);
  return `${difference < 0 ? '−' : '+'}${value}`;
}
