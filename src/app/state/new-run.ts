/** @file Makes a `NewRun` from the question, the chosen Conductor and workers, and the settings. */
import type { ImageReference, PoolWorker, Preferences, QuestionContext } from '../../core/contract';
import { createByHandConductor } from '../../core/conductor/by-hand';
import type { NewRun } from '../../core/runs';
import type { ConductorChoice, ConductorServices } from '../services';
import { workflowOf, type PlanDraft } from './plan-draft';

export interface RunInput {
  readonly question: string;
  /** The earlier run that it follows up on. */
  readonly context?: QuestionContext | null;
  readonly images: readonly ImageReference[];
  readonly pool: readonly PoolWorker[];
  readonly choice: ConductorChoice;
  /** The plan that the user has edited, `null` for the Conductor's own. `planPool`: the workers it may name. */
  readonly draft: PlanDraft | null;
  readonly planPool: readonly PoolWorker[];
  readonly maxSteps: number;
  /** Used if the settings have none. */
  readonly seed: number;
}

export function newRunOf(
  input: RunInput,
  preferences: Preferences,
  services: Pick<ConductorServices, 'conductor'>,
): NewRun {
  const { question, context = null, images, pool, choice, draft, planPool, maxSteps } = input;
  const { caps, dayUsd, access, recursion, temperature, maxTokens, candidates, approval, planTemperature } =
    preferences;
  return {
    question,
    context,
    images,
    pool,
    conductor: draft ? createByHandConductor(workflowOf(draft, planPool)) : services.conductor(choice.info),
    recursion,
    maxSteps,
    caps,
    dayUsd,
    sampling: { temperature, maxTokens },
    access,
    approval,
    candidates: draft ? 1 : candidatesFor(choice, candidates),
    choice: preferences.choice,
    seed: preferences.seed ?? input.seed,
    ...(draft || !isWritten(choice) || planTemperature === null ? {} : { planTemperature }),
  };
}

/** Whether a policy samples the plan, so that another sample may differ. */
export function isDrawn({ info }: ConductorChoice): boolean {
  return info.kind === 'policy';
}

/** Drawn before Run, so that the shown plan is the plan that runs. */
export function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** How many workflows the Conductor writes. */
function candidatesFor(choice: ConductorChoice, wanted: number): number {
  if (isDrawn(choice)) return wanted;
  return isWritten(choice) ? Math.max(wanted, choice.fewestCandidates ?? 1) : 1;
}

/** Whether a language model writes the plan, so that another try may differ. */
function isWritten({ info }: ConductorChoice): boolean {
  return info.kind === 'endpoint' || info.kind === 'webllm' || info.kind === 'transformers';
}
