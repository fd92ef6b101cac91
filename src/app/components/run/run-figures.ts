/** @file The figures of one step or one plan, as the panel lists them. */
import type { Attempt, EngineSpeed, Plan, StepRun, Usage } from '../../../core/contract';
import { count, duration, money, shortDuration, tokenRate, type Figure } from '../figures';

const UNKNOWN = '–';

/** Waited, first token, tokens in and out, cost and attempts of a step, as far as they are known. */
export function stepFigures(stepRun: StepRun): Figure[] {
  const { attempts } = stepRun;
  const first = attempts[0];
  const last = attempts.at(-1);
  if (!first || !last) return [];
  return [
    { name: 'Waited', value: duration(first.startedAt - stepRun.knownAt) },
    ...callFigures(last, { cost: sumOfCosts(attempts), billed: attempts.every(({ cost, billed }) => !cost || billed) }),
    { name: 'Attempts', value: count(attempts.length) },
  ];
}

/** The same of a plan; a Conductor that asks no model has no tokens, and only a local engine tells its speed. */
export function planFigures(plan: Plan): Figure[] {
  const took = plan.endedAt === null ? UNKNOWN : duration(plan.endedAt - plan.startedAt);
  const asked = plan.messages.length > 0 ? callFigures(plan, plan) : [];
  return [{ name: 'Took', value: took }, ...asked, ...(plan.speed ? speedFigures(plan.speed) : [])];
}

function speedFigures({ prefill, decode, grammar }: EngineSpeed): Figure[] {
  return [
    ...(prefill === null ? [] : [{ name: 'Reads', value: tokenRate(prefill) }]),
    ...(decode === null ? [] : [{ name: 'Writes', value: tokenRate(decode) }]),
    ...(grammar === null ? [] : [{ name: 'Grammar ready', value: shortDuration(grammar) }]),
  ];
}

function callFigures(
  call: Pick<Attempt, 'startedAt' | 'firstTokenAt' | 'usage'>,
  paid: Pick<Attempt, 'cost' | 'billed'>,
): Figure[] {
  const { startedAt, firstTokenAt, usage } = call;
  return [
    { name: 'First token', value: firstTokenAt === null ? UNKNOWN : duration(firstTokenAt - startedAt) },
    { name: 'In', value: tokens(usage, 'input') },
    ...(usage?.cached ? [{ name: 'From cache', value: `${count(usage.cached)} tok` }] : []),
    { name: 'Out', value: tokens(usage, 'output') },
    { name: 'Cost', value: costWord(paid) },
  ];
}

/** The provider's own figure, or tokens times price. */
function costWord({ cost, billed }: Pick<Attempt, 'cost' | 'billed'>): string {
  if (cost === null) return UNKNOWN;
  return cost === 0 ? money(0) : `${money(cost)} ${billed ? 'as billed' : 'estimated'}`;
}

function tokens(usage: Usage | null, side: 'input' | 'output'): string {
  if (!usage) return UNKNOWN;
  return `${usage.estimated ? 'about ' : ''}${count(usage[side])} tok`;
}

function sumOfCosts(attempts: readonly Attempt[]): number | null {
  const known = attempts.flatMap(({ cost }) => cost ?? []);
  return known.length === 0 ? null : known.reduce((total, cost) => total + cost, 0);
}
