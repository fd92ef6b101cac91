/** @file Determines which other steps a step saw, and why it did not see the others. */
import {
  renderPrompt,
  sourcesOf,
  type PromptMessage,
  type PromptPart,
  type Run,
  type StepRun,
  withContext,
} from '../contract';

export interface StepAt {
  readonly round: number;
  readonly step: number;
  readonly stepRun: StepRun;
}

/** Another step that the step saw. */
export interface SeenStep extends StepAt {
  /** The output as it was sent, or would be sent. */
  readonly output: string;
  /** Whether the output was shortened to fit the model's context. */
  readonly isShortened: boolean;
}

/**
 * Why a step did not see another step.
 * - `not-in-access`: the other step comes earlier in the plan, but is not in the access list.
 * - `parallel`: the other step is not in the access list, and it had not ended when the step began.
 * - `later`: the other step comes later in the plan.
 * - `earlier-round`, `later-round`: the other step belongs to a round that the step does not see.
 * - `no-output`: the step was allowed to see the other step, but got no output from it.
 */
export type UnseenReason = 'not-in-access' | 'parallel' | 'later' | 'earlier-round' | 'later-round' | 'no-output';

export interface UnseenStep extends StepAt {
  readonly reason: UnseenReason;
}

/** What a step saw. `seen` and `unseen` together contain every other step of the run once. */
export interface StepSight {
  /** The question with its context, without its files. Every step sees it, and all files. */
  readonly question: string;
  /** How many images of the question were sent to the step, and how many it could not see. */
  readonly images: { readonly sent: number; readonly unseen: number };
  /**
   * `true`: a prompt was sent, and `seen` contains the steps in that prompt. `false`: no prompt was sent. Then `seen` contains
   * the steps that the plan allows and that have an output.
   */
  readonly wasSent: boolean;
  readonly seen: readonly SeenStep[];
  readonly unseen: readonly UnseenStep[];
}

/**
 * The steps that a step saw. If a prompt was sent to the step, the latest prompt determines the result. Otherwise, the plan
 * determines it.
 * @returns `null` if the run has no such step
 */
export function sightOf(run: Run, place: { readonly round: number; readonly step: number }): StepSight | null {
  const own = run.rounds[place.round]?.steps[place.step];
  if (!own) return null;
  const prompt = own.attempts.at(-1)?.messages ?? null;
  const seen: SeenStep[] = [];
  const unseen: UnseenStep[] = [];
  for (const { round, steps } of run.rounds) {
    for (const [step, stepRun] of steps.entries()) {
      if (round === place.round && step === place.step) continue;
      const other = { round, step, stepRun };
      const shown = prompt ? sentOutput(run, prompt, other) : allowedOutput(own, place.round, other);
      if (shown) seen.push({ ...other, ...shown });
      else unseen.push({ ...other, reason: reasonOf(own, place, other) });
    }
  }
  const images = run.question.images?.length ?? 0;
  const sent = prompt?.reduce((sum, message) => sum + (message.images?.length ?? 0), 0) ?? images;
  return {
    question: withContext(run.question),
    images: { sent, unseen: Math.max(0, images - sent) },
    wasSent: prompt !== null,
    seen,
    unseen,
  };
}

type Shown = Pick<SeenStep, 'output' | 'isShortened'>;

/** An output as a prompt contains it, or `null` if the prompt doesn't contain it. */
function sentOutput(run: Run, prompt: readonly PromptMessage[], { round, step, stepRun }: StepAt): Shown | null {
  const isIts = (part: PromptPart, kind: 'output' | 'subtask') =>
    part.kind === kind && part.round === round && part.step === step;
  for (const { role, parts } of prompt) {
    if (parts.some((part) => isIts(part, 'output'))) return { output: stepRun.output ?? '', isShortened: false };
    // A complete output is a reference in the prompt. A shortened output is a literal text, which comes two parts
    // after the subtask of its step: subtask, tags, shortened text.
    const subtask = parts.findIndex((part) => isIts(part, 'subtask'));
    const text = subtask === -1 ? undefined : parts[subtask + 2];
    if (text?.kind === 'literal') {
      return { output: renderPrompt([{ role, parts: [text] }], sourcesOf(run))[0]?.content ?? '', isShortened: true };
    }
  }
  return null;
}

/** An output that the plan lets a step see, or `null` if the plan doesn't allow it, or if there is no output. */
function allowedOutput({ step: own }: StepRun, ownRound: number, { round, step, stepRun }: StepAt): Shown | null {
  const allowed = round === ownRound ? own.access.includes(step) : round < ownRound && own.seesEarlier === true;
  return allowed && stepRun.output !== null ? { output: stepRun.output, isShortened: false } : null;
}

function reasonOf(
  own: StepRun,
  place: { readonly round: number; readonly step: number },
  { round, step, stepRun }: StepAt,
): UnseenReason {
  if (round > place.round) return 'later-round';
  if (round < place.round) return own.step.seesEarlier ? 'no-output' : 'earlier-round';
  if (step > place.step) return 'later';
  if (own.step.access.includes(step)) return 'no-output';
  const began = own.attempts[0]?.startedAt;
  const otherBegan = stepRun.attempts[0]?.startedAt;
  const otherEnded = stepRun.attempts.at(-1)?.endedAt ?? Number.POSITIVE_INFINITY;
  const isBeside = began !== undefined && otherBegan !== undefined && otherEnded > began;
  return isBeside ? 'parallel' : 'not-in-access';
}
