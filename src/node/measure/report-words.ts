/** @file Writes the plan and the result of a measurement as plain text. */
import { costSentence, money } from '../../core/contract';
import { MEASURED_DOMAINS, type Ability } from '../../core/measurement/ability';
import { sumOfVerdicts } from '../../core/measurement/report/checks';
import type { Ranking, Report, WorkerCard } from '../../core/measurement/report/report';
import type { PlannedMeasurement } from '../../core/measurement/session/plan';
import { printable } from '../printable';

const MINUTE = 60;

/** What the budget buys, beside a full measurement. */
export function planWords({ plan, workers }: PlannedMeasurement, usd: number): string {
  const lines = workers.map(({ worker, tasks, checks }) => {
    const own = plan.workers.find((each) => each.worker === worker.id);
    const width = own?.halfWidth === null || own === undefined ? '' : `, ± ${points(own.halfWidth)} points`;
    const pooled = own?.pooled ? ', too few for single domains' : '';
    return `  ${printable(worker.name)}: ${tasks} tasks, ${checks} checks${width}${pooled}`;
  });
  const minutes = Math.ceil(plan.seconds / MINUTE);
  return [
    `Measures ${lines.length === 1 ? '1 worker' : `${lines.length} workers`} for about ${money(plan.cost)}, at most ${money(usd)}, in about ${minutes === 1 ? '1 minute' : `${minutes} minutes`}:`,
    ...lines,
    `A full measurement (30 tasks in each of 5 domains) would cost about ${money(plan.fullCost)} and be exact to ± ${points(plan.fullHalfWidth)} points.`,
  ].join('\n');
}

/** A card for each worker, and who is best in what. */
export function reportWords({ cards, rankings }: Report): string {
  return [...cards.map(cardWords), ...rankings.map(rankingWords)].join('\n\n');
}

function cardWords(card: WorkerCard): string {
  const { worker, ability, tasks, right, usd, usdPerRight, ms, cutOff, refused, failed, unreadable, checks, fault } =
    card;
  const [ofRight, ofWrong] = [sumOfVerdicts(checks.right), sumOfVerdicts(checks.wrong)];
  const faults = [
    [cutOff, 'cut off'],
    [refused, 'refused'],
    [failed, 'failed'],
    [unreadable, 'without a readable answer'],
  ].flatMap(([count, word]) => (count === 0 ? [] : `${count} ${word}`));
  const domains = MEASURED_DOMAINS.flatMap((domain) => {
    const own = ability?.domains[domain];
    return own ? `${domain} ${abilityWords(own)}` : [];
  });
  return [
    `${printable(worker.name)}: ${ability ? abilityWords(ability.overall) : 'no answers'}`,
    ...(domains.length === 0 ? [] : [`  ${domains.join(', ')}`]),
    `  ${right} of ${tasks} right${faults.length === 0 ? '' : ` (${faults.join(', ')})`}. ${costSentence({ usd, unpriced: 0 })}${usdPerRight === null ? '' : `, ${money(usdPerRight)} per right answer`}${ms === null ? '' : `, ${(ms / 1000).toFixed(1)} s per answer`}.`,
    ...(ofRight + ofWrong === 0
      ? []
      : [
          `  As a check, it called ${checks.right.right} of ${ofRight} right answers right, and ${checks.wrong.right} of ${ofWrong} wrong answers.`,
        ]),
    ...(fault ? [`  Stopped: ${printable(fault.message)}`] : []),
  ].join('\n');
}

function rankingWords({ scope, places, tied }: Ranking): string {
  const [first] = places;
  const name = scope === 'overall' ? 'Overall' : `${scope.charAt(0).toUpperCase()}${scope.slice(1)}`;
  const order = places.map(({ worker, ability }) => `${printable(worker.name)} ${percent(ability.mean)}`).join(', ');
  const verdict =
    tied.length > 0
      ? `${tied.map((worker) => printable(worker.name)).join(', ')} can’t be told apart from ${printable(first?.worker.name ?? '')} with these tasks.`
      : `${printable(first?.worker.name ?? '')} is the best, with a probability of ${percent(first?.best ?? 0)}.`;
  return `${name}: ${order}. ${verdict}`;
}

/** The ability with its 90 % interval. */
function abilityWords({ mean, low, high }: Ability): string {
  return `${percent(mean)} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function points(share: number): string {
  return String(Math.round(100 * share));
}
