/** @file Grades an answer by one of the user's workers. */
import { fault, FaultError, type Grader, type Message } from '../contract';

/** A worker that judges answers. */
export interface Judge {
  /** As shown in verdicts. */
  readonly name: string;
  /** Makes one call and returns its answer. Rejects with a `FaultError` if the call fails. */
  ask(messages: readonly Message[], signal: AbortSignal): Promise<string>;
}

/** @param judge `null`: its `grade` throws a `FaultError` (`not-gradable`) */
export function createJudgeGrader(judge: Judge | null): Grader {
  return {
    async grade() {
      throw new FaultError(fault('not-gradable', `No worker was chosen to judge answers. ${judge?.name ?? ''}`));
    },
  };
}
