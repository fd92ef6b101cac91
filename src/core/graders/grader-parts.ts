/** @file What some graders need from the rest of Podium. */
import type { CodeRunner } from '../contract';
import type { OpenPrivateTests } from '../contract/evaluation/program-tests';
import type { AskRoom } from '../contract/money/ask-worker';
import type { Judge } from './judge';

/** Dependencies that only some graders need. */
export interface GraderParts {
  /** Runs programs. Absent: tasks with programs are not gradable. */
  readonly runCode?: CodeRunner;
  /** Unpacks the private tests of LiveCodeBench. Absent: tasks with private tests are not gradable. */
  readonly openPrivateTests?: OpenPrivateTests;
  /** The worker that grades tasks whose grader is `judge`. Absent: these tasks are not gradable. */
  readonly judge?: Judge;
  /** Reserves the cost of the judge's calls in the budget of a batch. Absent: there is no budget. */
  readonly judgeRoom?: AskRoom;
}
