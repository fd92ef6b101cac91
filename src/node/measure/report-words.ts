/** @file Writes the plan and the result of a measurement as plain text. */
import { costSentence, money } from '../../core/contract';
import { MEASURED_DOMAINS } from '../../core/measurement/ability/observation';
import { sumOfVerdicts } from '../../core/measurement/report/checks';
import type { Report, WorkerCard } from '../../core/measurement/report/report';
import {
  abilityWords,
  datasetDomainsOf,
  faultWords,
  orderWords,
  scopeName,
  scopeWords,
  verdictWords,
} from '../../core/measurement/report/report-words';
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
  const ranked = rankings.map((each) => `${scopeWords(each.scope)}: ${orderWords(each)}. ${verdictWords(each)}`);
  return printable([...cards.map(cardWords), ...ranked].join('\n\n'));
}

function cardWords(card: WorkerCard): string {
  const { worker, ability, tasks, right, usd, usdPerRight, ms, checks, fault } = card;
  const [ofRight, ofWrong] = [sumOfVerdicts(checks.right), sumOfVerdicts(checks.wrong)];
  const faults = faultWords(card);
  const domains = [...MEASURED_DOMAINS, ...datasetDomainsOf(card)].flatMap((domain) => {
    const own = ability?.domains[domain];
    return own ? `${scopeName(domain)} ${abilityWords(own)}` : [];
  });
  return [
    `${worker.name}: ${ability ? abilityWords(ability.overall) : 'no answers'}`,
    ...(domains.length === 0 ? [] : [`  ${domains.join(', ')}`]),
    `  ${right} of ${tasks} right${faults === '' ? '' : ` (${faults})`}. ${costSentence({ usd, unpriced: 0 })}${usdPerRight === null ? '' : `, ${money(usdPerRight)} per right answer`}${ms === null ? '' : `, ${(ms / 1000).toFixed(1)} s per answer`}.`,
    ...(ofRight + ofWrong === 0
      ? []
      : [
          `  As a check, it called ${checks.right.right} of ${ofRight} right answers right, and ${checks.wrong.right} of ${ofWrong} wrong answers.`,
        ]),
    ...(fault ? [`  Stopped: ${fault.message}`] : []),
  ].join('\n');
}

function points(share: number): string {
  return String(Math.round(100 * share));
}
