/** @file Makes a `NewRun` from the question, the chosen Conductor, the pool, the edited plan and the settings. */
import type {
  DrawnAlone,
  ImageReference,
  PoolWorker,
  Preferences,
  QuestionContext,
  QuestionFile,
} from '../../core/contract';
import { strongestWorker } from '../../core/conductor/default-conductor';
import type { NewRun } from '../../core/runs/new-run';
import { preferredRun } from '../../core/runs/preferred-run';
import type { ConductorChoice, ConductorServices } from '../services';
import { workflowOf, type PlanDraft } from './plan-draft';

export interface RunInput {
  readonly question: string;
  /** The earlier run that the question follows up on. */
  readonly context?: QuestionContext | null;
  readonly images: readonly ImageReference[];
  readonly files?: readonly QuestionFile[];
  readonly pool: readonly PoolWorker[];
  readonly choice: ConductorChoice;
  /** The plan that the user has edited. `null`: the Conductor writes the plan. */
  readonly draft: PlanDraft | null;
  /** The workers that `draft` may use. */
  readonly planPool: readonly PoolWorker[];
  readonly maxSteps: number;
  /** The seed of the run if the settings have none. */
  readonly seed: number;
}

export function newRunOf(
  { choice, draft, planPool, context = null, ...input }: RunInput,
  preferences: Preferences,
  services: Pick<ConductorServices, 'conductor'>,
): NewRun {
  const plan = draft && workflowOf(draft, planPool);
  const { info, trained } = choice;
  const request = preferredRun({ ...input, context, conductor: info, trained, plan }, preferences, services.conductor);
  const alone = plan ? null : drawOf(request, preferences);
  return alone ? { ...request, alone } : request;
}

/** Which worker may also answer alone, and how often. `null`: none, or a single worker answers anyway. */
function drawOf(
  { pool, conductor }: NewRun,
  { aloneShare, aloneWorker, aloneAnswers }: Preferences,
): DrawnAlone | null {
  if (aloneShare === 0 || conductor.info.id.startsWith('template:best-single')) return null;
  const worker = pool.find(({ id }) => id === aloneWorker) ?? strongestWorker(pool);
  const equalCost = aloneAnswers === 'equal-cost' ? ({ equalCost: true } as const) : {};
  return worker && { worker: worker.id, share: aloneShare / 100, ...equalCost };
}

/**
 * A random 32-bit seed. A plan can depend on the seed, so the shown plan and the run that uses this plan need
 * the same seed.
 */
export function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
