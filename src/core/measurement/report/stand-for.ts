/** @file Which measured domains stand for which domains of questions. */
import { DOMAINS, type Domain } from '../../contract';
import type { MeasuredDomain, TaskDomain } from '../ability/observation';

/** Questions are classed otherwise than the tasks: logic puzzles are maths, and work on tables needs the skills of code. */
export const STAND_FOR: Partial<Record<Domain, readonly MeasuredDomain[]>> = {
  maths: ['maths', 'logic'],
  code: ['code', 'data'],
};

/** The domain of questions that need the skills of a measured domain. `null`: there is none. */
export function domainFor(measured: TaskDomain): Domain | null {
  return DOMAINS.find((domain) => STAND_FOR[domain]?.some((each) => each === measured)) ?? null;
}
