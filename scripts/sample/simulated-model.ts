/**
 * @file A simulated language model with fixed answers. It writes the plans of some sample runs. As
 * with any other model, Podium parses each answer, and requests another answer if the plan is
 * invalid.
 */
import { formatWorkflow } from '../../src/core/conductor/format';
import { createLlmConductor } from '../../src/core/conductor/llm';
import { costOf, type Clock, type Conductor, type Step, type TextEngine, type Workflow } from '../../src/core/contract';
import { MODEL_PRICE, usageOf } from './invented-prices';

const FIRST_TOKEN_MS = 400;
const PIECE_MS = 60;
const PIECE = 24;

/**
 * Returns a function that makes a Conductor. The Conductor's model returns `answers` in order.
 * @param hasGrammar whether the model reports that it enforces the grammar of plans. With `true`, all
 *   answers must be valid plans
 */
export function simulatedModel(answers: readonly string[], hasGrammar: boolean): (clock: Clock) => Conductor {
  return (clock) => {
    let calls = 0;
    const engine: TextEngine = {
      info: { engine: 'simulated', model: 'simulated', enforcesGrammar: hasGrammar },
      async *generate({ messages }, signal) {
        const answer = answers[calls++];
        if (answer === undefined) throw new RangeError('The simulated model has no more answers.');
        await clock.sleep(FIRST_TOKEN_MS, signal);
        for (let from = 0; from < answer.length; from += PIECE) {
          yield { type: 'delta', channel: 'content', text: answer.slice(from, from + PIECE) };
          await clock.sleep(PIECE_MS, signal);
        }
        const usage = usageOf(messages, answer);
        yield { type: 'finished', usage, cost: costOf(usage, MODEL_PRICE), finishReason: 'stop' };
      },
    };
    const info = { id: 'endpoint:simulated', label: 'Simulated model', kind: 'endpoint', model: 'simulated' } as const;
    return createLlmConductor({ info, engine, clock });
  };
}

const SOLVE = 'Solve the task. Show the steps that matter and end with your result.';
const AGAIN = 'Solve the task in another way. End with your result.';
const CHECK = 'Check the result against every condition of the task. Say whether it is right.';
const FIX = 'Correct what the check found, or confirm the result. End with one full result.';
const DECIDE = 'Decide on the one right answer and give it in the form that the task asks for.';
const step = (worker: number, subtask: string, access: readonly number[] = [], seesEarlier = false): Step => ({
  worker,
  subtask,
  access,
  ...(seesEarlier ? { seesEarlier } : {}),
});
const answer = (thought: string, ...steps: readonly Step[]) => {
  const workflow: Workflow = { steps };
  return `${thought}\n${formatWorkflow(workflow, { access: 'fine' })}`;
};

/** Worker numbers in the sample runs: 0 Alder, 1 Birch, 2 Cedar, 3 Dogwood, 4 Elm. */
const ONE = answer('A single solver should do.', step(4, SOLVE));
const CHECKED = answer('Solve it, check it, correct it.', step(1, SOLVE), step(2, CHECK, [0]), step(3, FIX, [0, 1]));
const TWO = answer('Two independent tries, then a decision.', step(1, SOLVE), step(4, AGAIN), step(0, DECIDE, [0, 1]));
const CHAIN = answer('Solve it and correct it.', step(3, SOLVE), step(3, FIX, [0]));
const SECOND = answer('Check the first round and decide.', step(2, CHECK, [], true), step(0, DECIDE, [0], true));
const REPAIR = answer('One correction is enough.', step(3, FIX, [], true));
const BROKEN = TWO.replace(/access_list = .*/, 'access_list = [[], []]');
const PROSE = 'First let Birch solve the task, and then let Cedar check the result.';

/** The answers of the model that enforces no grammar, one list for each run. Some lists begin with an invalid plan. */
export const FREE_ANSWERS: readonly (readonly string[])[] = [
  [CHECKED, SECOND],
  [BROKEN, TWO, REPAIR],
  [ONE, SECOND],
  [PROSE, CHECKED, REPAIR],
  [TWO, SECOND],
];

/** The answers of the model that enforces the grammar, one list for each run. */
export const GRAMMAR_ANSWERS: readonly (readonly string[])[] = [
  [TWO, SECOND],
  [CHECKED, REPAIR],
  [CHAIN, SECOND],
  [ONE, REPAIR],
  [CHECKED, SECOND],
];
