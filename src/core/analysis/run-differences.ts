/** @file Compares runs. Finds the settings in which two runs differ, and the parts in which corresponding steps differ. */
import {
  canonicalJson,
  FaultError,
  renderMessages,
  renderPrompt,
  RUN_SETTING_NAMES,
  SETTING_DEFAULTS,
  settingsOf,
  sourcesOf,
  workerOf,
  type Message,
  type Run,
  type RunSettings,
} from '../contract';
import type { AlignedRow } from './step-alignment';

/** A setting that can differ between runs on the same question. */
export type SettingKey = Exclude<keyof RunSettings, 'question'>;

export const SETTING_KEYS = RUN_SETTING_NAMES.filter((name) => name !== 'question');

/** The settings that differ between two runs. An absent setting has its default value. */
export function settingDifferences(one: Run, other: Run): SettingKey[] {
  const a = { ...SETTING_DEFAULTS, ...settingsOf(one) };
  const b = { ...SETTING_DEFAULTS, ...settingsOf(other) };
  return SETTING_KEYS.filter((key) => canonicalJson(a[key]) !== canonicalJson(b[key]));
}

/** The parts in which two steps can differ. `outcome`: the status of the step. A reused step counts as finished. */
export const STEP_PARTS = ['worker', 'role', 'subtask', 'access', 'prompt', 'outcome', 'output'] as const;
export type StepPart = (typeof STEP_PARTS)[number];

export interface ComparedRow extends AlignedRow {
  /**
   * For each run, the parts in which its step differs from the step of the first run. `null`: one of the two runs has no such
   * step.
   */
  readonly differing: readonly (ReadonlySet<StepPart> | null)[];
  /**
   * For each run, whether the prompt of its step was compared with the prompt of the first run's step. This
   * needs both prompts.
   */
  readonly arePromptsKnown: readonly boolean[];
  /** Whether every run has this step and no part differs. Parts that can't be compared are ignored. */
  readonly isSame: boolean;
}

/** In each row, compares the step of every run with the step of the first run. @param rows the result of `alignSteps` */
export function compareSteps(runs: readonly Run[], rows: readonly AlignedRow[]): ComparedRow[] {
  const rowOf = runs.map((_, run) => new Map(rows.map((row, index) => [`${row.round}.${row.steps[run]}`, index])));
  return rows.map((row) => {
    const facts = runs.map((run, index) => {
      const step = row.steps[index] ?? null;
      return step === null ? null : factsOf(run, { round: row.round, step }, rowOf[index]);
    });
    const base = facts[0] ?? null;
    const differing = facts.map((own) => (own && base ? differingParts(base, own) : null));
    const arePromptsKnown = facts.map((own) => isPromptKnown(own) && isPromptKnown(base));
    return { ...row, differing, arePromptsKnown, isSame: differing.every((parts) => parts?.size === 0) };
  });
}

/** The value of each part as a text. `null`: the part can't be compared. */
type StepFacts = Readonly<Record<StepPart, string | null>>;

function factsOf(
  run: Run,
  { round, step }: { readonly round: number; readonly step: number },
  rowOf: ReadonlyMap<string, number> | undefined,
): StepFacts | null {
  const stepRun = run.rounds[round]?.steps[step];
  if (!stepRun) return null;
  const { worker, role, subtask, access, seesEarlier } = stepRun.step;
  const seen = access.map((index) => rowOf?.get(`${round}.${index}`) ?? -1).sort((a, b) => a - b);
  return {
    worker: workerOf(run, stepRun)?.id ?? `unknown ${worker}`,
    // A step has no stated role if the Conductor stated none, or if the subtask was edited.
    role: role ?? null,
    subtask,
    access: `${seen.join()}${seesEarlier ? ' and earlier rounds' : ''}`,
    // A reused step has no prompt, because nothing was sent for it in this run.
    prompt: stepRun.status === 'reused' ? null : promptOfStep(run, { round, step }),
    outcome: stepRun.status === 'reused' ? 'finished' : stepRun.status,
    output: stepRun.output ?? stepRun.attempts.at(-1)?.output ?? '',
  };
}

function isPromptKnown(facts: StepFacts | null): boolean {
  return facts !== null && facts.prompt !== null;
}

function differingParts(one: StepFacts, other: StepFacts): ReadonlySet<StepPart> {
  return new Set(STEP_PARTS.filter((part) => one[part] !== null && other[part] !== null && one[part] !== other[part]));
}

/** The prompt of the last call of a step as one text. `null`: nothing was sent, or the prompt can't be rendered. */
export function promptOfStep(run: Run, place: { readonly round: number; readonly step: number }): string | null {
  const attempt = run.rounds[place.round]?.steps[place.step]?.attempts.at(-1);
  if (!attempt) return null;
  return textOf(() => renderMessages(run, { ...place, attempt: attempt.attempt }));
}

/** The prompt of a round's plan as one text. `null`: no model was called, or the prompt can't be rendered. */
export function promptOfPlan(run: Run, round: number): string | null {
  const messages = run.rounds[round]?.plan?.messages ?? [];
  return messages.length === 0 ? null : textOf(() => renderPrompt(messages, sourcesOf(run)));
}

function textOf(render: () => readonly Message[] | null): string | null {
  try {
    const messages = render();
    if (!messages) return null;
    const words = ({ role, content, images = [] }: Message) =>
      [...(messages.length > 1 ? [`[${role}]`] : []), content, ...images.map((hash) => `[image ${hash}]`)].join('\n');
    return messages.map(words).join('\n\n');
  } catch (thrown) {
    // In a damaged run, a prompt may refer to a missing step.
    if (thrown instanceof FaultError) return null;
    throw thrown;
  }
}
