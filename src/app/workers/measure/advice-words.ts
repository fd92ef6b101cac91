/** @file Says what a measurement advises, and why. */
import type { PoolWorker } from '../../../core/contract';
import type { Advice } from '../../../core/measurement/report/advice';
import { NEAR } from '../../../core/measurement/report/report';
import { scopeName } from '../../../core/measurement/report/report-words';
import { listed, money, percent } from '../../ui/figures';

export interface AdviceWords {
  readonly title: string;
  readonly evidence: string;
}

export function adviceWords(advice: Advice): AdviceWords {
  switch (advice.kind) {
    case 'alone':
      return aloneWords(advice);
    case 'pool':
      return poolWords(advice);
    case 'effort': {
      const { effort, worker, low, high } = advice;
      const range = `${worker.name} alone solves ${Math.round(100 * low)} to ${percent(high)} of such tasks`;
      if (effort === 'quick')
        return { title: 'Choose the effort Quick', evidence: `${range}, so more steps can add little.` };
      return { title: 'Choose the effort Thorough', evidence: `${range}, and checks find the wrong answers.` };
    }
    case 'skipping': {
      const { skip, checkers, passed, wrong } = advice;
      const evidence = `As checks, ${namesOf(checkers)} called ${passed} of ${wrong} wrong answers right.`;
      return { title: skip ? 'Skip settled steps' : 'Don’t skip settled steps', evidence };
    }
    default:
      return advice satisfies never;
  }
}

function aloneWords({ worker, near, byDomain, usdPerRight, others }: Extract<Advice, { kind: 'alone' }>): AdviceWords {
  const points = `${Math.round(100 * NEAR)} points`;
  const chance = near > 0.99 ? 'more than 99 %' : percent(near);
  const best = `It is at most ${points} below the best worker, with a probability of ${chance}.`;
  const domains = byDomain
    ? ' No other worker is clearly better in a domain.'
    : ' There are too few tasks to compare single domains.';
  const prices = others.flatMap(({ worker: { name }, usdPerRight: usd }) =>
    usd === null ? [] : `${money(usd)} from ${name}`,
  );
  const price =
    usdPerRight === null || prices.length === 0
      ? ''
      : ` A right answer costs ${money(usdPerRight)}, and ${listed(prices)}.`;
  return { title: `Use ${worker.name} alone`, evidence: `${best}${domains}${price}` };
}

function poolWords({ workers, leaders, left }: Extract<Advice, { kind: 'pool' }>): AdviceWords {
  const best = workers.flatMap(({ id, name }) => {
    const own = leaders.filter(({ worker }) => worker.id === id);
    return own.length === 0
      ? []
      : `${name} for ${listed(own.map(({ scope, mean }) => `${scopeName(scope)} (${percent(mean)})`))}`;
  });
  const rest = left.length === 0 ? '' : ` ${namesOf(left)} ${left.length === 1 ? 'leads' : 'lead'} in no domain.`;
  return {
    title: `Use ${namesOf(workers)}`,
    evidence: `Different workers are best in different domains: ${best.join('; ')}.${rest}`,
  };
}

function namesOf(workers: readonly PoolWorker[]): string {
  return listed(workers.map(({ name }) => name));
}
