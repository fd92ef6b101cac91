/** @file Lists the values of a step or a plan, such as tokens and cost. */
import {
  isAwaitingModel,
  isSampleRun,
  writtenTokens,
  type Attempt,
  type EngineSpeed,
  type Plan,
  type StepRun,
  type Usage,
} from '../../core/contract';
import { count, duration, money, shortDuration, tokenRate, type Figure } from '../ui/figures';
import { AT_MADE_UP_PRICES } from '../shared/made-up-words';

const UNKNOWN = '–';

/** The values of a step. Empty before its first attempt. The output limit is listed only if it was lowered to fit the budget. */
export function stepFigures(stepRun: StepRun, runId: string): Figure[] {
  const { attempts } = stepRun;
  const sentAt = attempts.find(({ leftAt }) => leftAt !== null)?.leftAt ?? null;
  const last = attempts.at(-1);
  if (!last) return [];
  return [
    { name: 'Wait', value: sentAt === null ? UNKNOWN : duration(sentAt - stepRun.knownAt) },
    ...callFigures(
      { ...last, startedAt: last.leftAt ?? last.startedAt },
      {
        runId,
        cost: sumOfCosts(attempts),
        billed: attempts.every(({ cost, billed }) => !cost || billed),
      },
    ),
    { name: 'Attempts', value: count(attempts.length) },
    ...(last.outputLimit === null
      ? []
      : [{ name: 'Output limit', value: `${count(last.outputLimit)} tok, lowered to fit the budget` }]),
  ];
}

/** The values of a plan. Tokens and cost are listed if a model was called, and the speed if a local engine reported it. */
export function planFigures(plan: Plan, runId: string): Figure[] {
  const planMs = plan.endedAt === null ? UNKNOWN : duration(plan.endedAt - plan.startedAt);
  const call = plan.messages.length > 0 ? callFigures(plan, { ...plan, runId }) : [];
  const written = plan.usage === null && isAwaitingModel(plan) ? writtenTokens(plan) : 0;
  return [
    { name: 'Duration', value: planMs },
    ...call,
    ...(written > 0 ? [{ name: 'Written', value: `about ${count(written)} tok` }] : []),
    ...(plan.speed ? speedFigures(plan.speed) : []),
  ];
}

function speedFigures({ prefill, decode, grammar }: EngineSpeed): Figure[] {
  return [
    ...(prefill === null ? [] : [{ name: 'Reading speed', value: tokenRate(prefill) }]),
    ...(decode === null ? [] : [{ name: 'Writing speed', value: tokenRate(decode) }]),
    ...(grammar === null ? [] : [{ name: 'Grammar ready', value: shortDuration(grammar) }]),
  ];
}

function callFigures(call: Pick<Attempt, 'startedAt' | 'firstTokenAt' | 'usage'>, paid: Paid): Figure[] {
  const { startedAt, firstTokenAt, usage } = call;
  return [
    { name: 'First token', value: firstTokenAt === null ? UNKNOWN : duration(firstTokenAt - startedAt) },
    { name: 'Input', value: tokens(usage, 'input') },
    ...(usage?.cached ? [{ name: 'Cached input', value: `${count(usage.cached)} tok` }] : []),
    { name: 'Output', value: tokens(usage, 'output') },
    { name: 'Cost', value: costWord(paid) },
  ];
}

interface Paid extends Pick<Attempt, 'cost' | 'billed'> {
  readonly runId: string;
}

/** The cost, and whether the provider billed it or Podium estimated it. Sample runs have made-up prices. */
function costWord({ runId, cost, billed }: Paid): string {
  if (cost === null) return UNKNOWN;
  if (cost === 0) return money(0);
  if (isSampleRun(runId)) return `${money(cost)} ${AT_MADE_UP_PRICES}`;
  return `${money(cost)} ${billed ? 'as billed' : 'estimated'}`;
}

function tokens(usage: Usage | null, side: 'input' | 'output'): string {
  if (!usage) return UNKNOWN;
  return `${usage.estimated ? 'about ' : ''}${count(usage[side])} tok`;
}

function sumOfCosts(attempts: readonly Attempt[]): number | null {
  const known = attempts.flatMap(({ cost }) => cost ?? []);
  return known.length === 0 ? null : known.reduce((total, cost) => total + cost, 0);
}
