/** @file Sentences that say which Conductor plans, why, and what the plan costs. */
import type { DefaultConductor } from '../../core/conductor/default-conductor';
import type { ConductorInfo } from '../../core/contract';
import { money } from '../ui/figures';

/** The menu entry for the automatic choice: "Automatic: GPT-5 mini". */
export function automaticLabel(info: ConductorInfo | null): string {
  if (!info) return 'Automatic';
  return `Automatic: ${info.kind === 'policy' ? 'trained policy' : info.label}`;
}

/**
 * Which Conductor plans if the choice is automatic, and why. `''` if the pool has neither simulated workers
 * nor workers that call a model.
 * @param cost cost of a plan in US dollars. `null`: unknown
 * @param hasBudget whether there is a budget for the run or the day. If so, calls with unknown prices are not
 * made
 */
export function plannerSentence(
  { reason }: DefaultConductor,
  { label }: Pick<ConductorInfo, 'label'>,
  cost: number | null,
  hasBudget = false,
): string {
  const byPolicy = 'Planned by the trained policy, because ';
  switch (reason.kind) {
    case 'empty':
      return '';
    case 'practice':
      return `${byPolicy}the workers are simulated.`;
    case 'private':
      return `${byPolicy}Private is on and no model is loaded.`;
    case 'offline':
      return `${byPolicy}you are offline.`;
    case 'no-writer':
      return `${byPolicy}no worker in the pool can write plans.`;
    case 'local':
      return `Planned by ${label}, which is loaded on this machine and free.`;
    case 'worker': {
      const strong = reason.strongest === null ? '' : `, strongest in ${reason.strongest}`;
      const why = `${WHY[reason.rank]}${reason.sees ? ' that can see images' : ''}${strong}`;
      return `Planned by ${label}: ${why}. ${costWords(cost, hasBudget)}`;
    }
    default:
      return reason satisfies never;
  }
}

const WHY = {
  only: 'the only model',
  best: 'highest-rated model',
  'near-best': 'cheapest of the highest-rated models',
  cheapest: 'cheapest model',
  first: 'first model in the pool',
} as const;

function costWords(cost: number | null, hasBudget: boolean): string {
  if (cost === null)
    return hasBudget
      ? 'Its price is unknown, so it can’t be called while there is a budget. Enter its price under Workers.'
      : 'Price of the plan: unknown.';
  if (cost === 0) return 'The plan is free.';
  return cost < 0.000_05 ? 'The plan costs under $0.0001.' : `The plan costs about ${money(cost)}.`;
}
