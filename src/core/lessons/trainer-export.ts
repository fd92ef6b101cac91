/**
 * @file Exports the plans of a search for trainers: as supervised examples, and as preference pairs. The prompt is that of the start,
 * because a trained model should plan well without the lessons.
 */
import { foldEvents, type ConfidentialityCheck, type RunStore } from '../contract';
import { rolloutsOf } from '../training/export/rollout-export';
import type { Rollout } from '../training/export/rollout-format';
import { winnerOf } from './next-step';
import { searchRunId } from './search-runs';
import type { Candidate, SearchState } from './search-state';

type Messages = Rollout['prompt'];

/** A line for a supervised trainer, or for a trainer of preferences. The fields are those that TRL reads. */
export type TrainerLine =
  | { readonly task: string; readonly prompt: Messages; readonly completion: Messages }
  | { readonly task: string; readonly prompt: Messages; readonly chosen: Messages; readonly rejected: Messages };

/**
 * - `examples`: the winner's plans whose answer was right
 * - `pairs`: such a plan, and a plan of another candidate for the same task and pool whose answer was wrong
 */
export const TRAINER_FORMS = ['examples', 'pairs'] as const;
export type TrainerForm = (typeof TRAINER_FORMS)[number];

/** The saved runs, and whether a run must not leave. */
export interface PlanSource {
  readonly store: Pick<RunStore, 'read'>;
  readonly isConfidential: ConfidentialityCheck;
}

/**
 * Yields the lines of the tasks for training and validation. The test tasks are left out, so that they can test the trained model.
 * Confidential runs are left out, and runs that were deleted. A plan that its run did not carry out as written is left out, too.
 */
export async function* trainerLines(
  state: SearchState,
  form: TrainerForm,
  source: PlanSource,
): AsyncGenerator<TrainerLine, void, undefined> {
  const winner = winnerOf(state);
  const [start] = state.candidates;
  if (!winner || !start) return;
  const planOf = ({ lessons, results }: Candidate, task: string) => {
    const score = results.get(task)?.score ?? null;
    return score === null ? null : readPlan(source, searchRunId(state.plan, task, lessons), score === 1);
  };
  for (const task of [...state.plan.split.train, ...state.plan.split.validation]) {
    const best = await planOf(winner, task);
    const first = await planOf(start, task);
    if (best?.reward !== 1) continue;
    const prompt = (first ?? best).prompt;
    const chosen = written(best);
    if (form === 'examples') {
      // Without a run of the start, only the prompt with the lessons is known.
      if (first) yield { task, prompt, completion: chosen };
      continue;
    }
    for (const { index, ...other } of state.candidates) {
      if (index === winner.index || !first) continue;
      const worse = await planOf({ index, ...other }, task);
      if (worse?.reward == null || worse.reward >= 1 || worse.completion === best.completion) continue;
      yield { task, prompt, chosen, rejected: written(worse) };
    }
  }
}

function written({ completion }: Rollout): Messages {
  return [{ role: 'assistant', content: completion }];
}

/** The first plan of a run. `null`: the run is deleted or confidential, or has no such plan. */
async function readPlan({ store, isConfidential }: PlanSource, id: string, isRight: boolean): Promise<Rollout | null> {
  const events = await store.read(id);
  const [first] = events;
  const run = foldEvents(events);
  if (!first || !run || run.early || (await isConfidential(first))) return null;
  const plans = rolloutsOf(
    run,
    run.rounds.map(() => isRight),
  );
  return plans.find(({ round }) => round === 0) ?? null;
}
