/**
 * @file What Conductors are told about a measured worker. They class questions by other domains than the tasks: logic puzzles are
 * maths for them, and work on tables needs the skills of code. No measured domain stands for science, knowledge or writing.
 */
import type { CheckCounts, Domain, Role } from '../../contract';
import type { WorkerAbility } from '../ability/fit-abilities';
import { trustIn } from './checks';
import { STAND_FOR } from './stand-for';

export interface Told {
  readonly domains?: Partial<Record<Domain, number>>;
  readonly strengths?: Partial<Record<Role, number>>;
}

/** Figures from 0 to 1. Empty if there are too few tasks for any statement. */
export function toldOf(ability: WorkerAbility | null, checks: CheckCounts): Told {
  if (!ability) return {};
  const domains = Object.entries(STAND_FOR).flatMap(([domain, measured]) => {
    const means = measured.flatMap((each) => ability.domains[each]?.mean ?? []);
    return means.length === 0 ? [] : [[domain, rounded(mean(means))] as const];
  });
  const verify = trustIn(checks);
  const strengths: Partial<Record<Role, number>> = {
    // Below ten tasks a domain, the tasks of all domains together say how good a worker is.
    ...(domains.length === 0 && ability.overall.tasks >= LEAST_POOLED ? { solve: rounded(ability.overall.mean) } : {}),
    ...(verify === null ? {} : { verify: rounded(verify) }),
  };
  return {
    ...(domains.length > 0 ? { domains: Object.fromEntries(domains) } : {}),
    ...(Object.keys(strengths).length > 0 ? { strengths } : {}),
  };
}

/** No statement about all domains together is made with fewer tasks. */
export const LEAST_POOLED = 10;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}
