/**
 * @file The gate: when a policy that was trained here may plan in the place of the one in use. On items that nobody was
 * trained on, with workers that no training item held, it must be right at least as often as the policy in use, and as the
 * heuristic Conductor: the mean of each paired difference is not below 0. The intervals are shown beside the verdict, since a
 * mean above 0 is not a lead that is certain.
 */
import { mixSeed, type HeldOut, type Interval, type KeptPolicy, type PolicyFile } from '../contract';

/**
 * The seed of a candidate's comparison, from its weights: the same weights always meet the same items, however often they are
 * compared or imported, and other weights meet others, so that trying again does not select on one set of items.
 */
export function trialSeed({ weights }: PolicyFile): number {
  return mixSeed('trial', weights);
}

export function mayBeUsed({ heuristic, inUse }: HeldOut): boolean {
  return heuristic.lead.mean >= 0 && inUse.lead.mean >= 0;
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
  const { heuristic, inUse } = heldOut;
  if (mayBeUsed(heldOut)) {
    const over = beside(inUse.lead, 'the policy in use');
    return `It may be used: it ${over} and ${beside(heuristic.lead, 'the heuristic')}.`;
  }
  const behind = [
    ...(inUse.lead.mean < 0 ? [`the policy in use (${points(inUse.lead.mean)} points)`] : []),
    ...(heuristic.lead.mean < 0 ? [`the heuristic (${points(heuristic.lead.mean)} points)`] : []),
  ];
  return `It may not be used: on these items it is right less often than ${behind.join(' and ')}.`;
}

function beside({ mean, low }: Interval, who: string): string {
  if (low > 0) return `is better than ${who} (${points(mean)} points, its 95 % interval above 0)`;
  if (mean === 0) return `is right as often as ${who}`;
  return `does not lose to ${who} (${points(mean)} points, its 95 % interval reaches below 0)`;
}

/** A difference of shares in percentage points, with its sign: `+2.5`, `−0.3`. */
export function points(difference: number): string {
  const value = Math.abs(100 * difference).toFixed(1);
  return `${difference < 0 ? '−' : '+'}${value}`;
}
