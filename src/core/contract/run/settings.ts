/**
 * @file The settings of a run, which its event `run-started` records. A resumed run may change some of them.
 */
import type { Sampling } from '../model/message';
import type { PoolWorker } from '../worker/worker';
import type { CheckTrust } from '../workflow/check-trust';
import type { ConductorInfo } from '../workflow/conductor-info';
import type { ConductorPrompt } from '../workflow/conductor-prompt';
import type { ImageReference } from './image';
import type { QuestionFile } from './question-file';
import { picked } from '../picked';
import type { DrawnAlone } from './pair';
import { RUN_SETTINGS, type RecordedOf } from './setting-table';

export type AccessScheme = RunSettings['access'];

/** The caps of a run. `null`: no cap. Before a call is sent, Podium reserves the call's maximum cost. */
export interface Caps {
  /** Maximum number of rounds, including the first round. */
  readonly rounds: number;
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

export type CapName = keyof Caps;

/** Caps that the user has raised for a single run, with their new values. Absent: not raised. */
export type RaisedCaps = Readonly<Partial<Record<CapName, number>>>;

/** A turn of a conversation: the question and answer of a run. Both may be shortened (`run/conversation.ts`). */
export interface Turn {
  readonly runId: string;
  readonly question: string;
  readonly answer: string;
}

/** The run that a question follows up on, and the turns of the conversation before that run. */
export interface QuestionContext extends Turn {
  /** The turns before this one that are sent too, oldest first. Absent: none. */
  readonly earlier?: readonly Turn[];
  /** Id of the conversation's first run. Absent in runs of older versions. */
  readonly first?: string;
  /** The number of the follow-up in the conversation, from 1. Earlier turns that are not sent count, too. Absent: as `first`. */
  readonly turn?: number;
  /** Set if the earlier run is confidential. Then the follow-up is confidential too: neither may leave this browser. */
  readonly isConfidential?: true;
}

export interface Question {
  readonly text: string;
  /** Absent: the question is not a follow-up. */
  readonly context?: QuestionContext;
  /** The attached images. Absent: no images. */
  readonly images?: readonly ImageReference[];
  /** The attached files. Absent: no files. */
  readonly files?: readonly QuestionFile[];
}

/**
 * The settings of a run, stored as fields of `run-started`. The schema fills in fields that older events lack, so
 * parsed settings are complete.
 */
export interface RunSettings extends RecordedOf<typeof RUN_SETTINGS> {
  readonly question: Question;
  /** When `recursion` is on, the last entry is the Conductor itself. */
  readonly pool: readonly PoolWorker[];
  readonly conductor: ConductorInfo;
  /** Maximum steps of one workflow. */
  readonly maxSteps: number;
  readonly seed: number;
  readonly caps: Caps;
  /** Sampling parameters of workers. */
  readonly sampling: Sampling;
  /** The user's prompt for the Conductor's model. Absent: the model's own prompt, or the default. */
  readonly prompt?: ConductorPrompt;
  /**
   * Whether a step goes on without failed attempts at a task, if other independent attempts at the same task have an output. For
   * runs without a user who could decide. Absent: the step is skipped.
   */
  readonly leaveOutFailed?: boolean;
  /**
   * Whether checks are asked for verdicts, and steps are skipped whose answer is settled (`executor/settled.ts`). Absent: no.
   */
  readonly skipSettled?: boolean;
  /** How far the run trusts its checks. Only with `skipSettled`. Absent: each check that found the answer right settles it. */
  readonly trust?: CheckTrust;
  /** Set if the question was drawn, so that one worker alone also answers it. Absent: it was not drawn. */
  readonly alone?: DrawnAlone;
}

/** Settings that a resumed run may change. Absent: unchanged. */
export type ResumedWith = Partial<
  Pick<RunSettings, 'pool' | 'conductor' | 'caps' | 'sampling' | 'maxSteps' | 'candidates'>
> & {
  /** Caps that the user raised when resuming this run. */
  readonly raised?: RaisedCaps;
};

/** The names of all settings of a run, in the order in which differences are shown. */
export const RUN_SETTING_NAMES = Object.keys({
  question: true,
  conductor: true,
  pool: true,
  ...RUN_SETTINGS,
  caps: true,
  maxSteps: true,
  sampling: true,
  leaveOutFailed: true,
  skipSettled: true,
  trust: true,
  alone: true,
  prompt: true,
  seed: true,
} satisfies Record<keyof RunSettings, unknown>) as readonly (keyof RunSettings)[];

/** Extracts the settings from an object that contains them. */
export function settingsOf(from: RunSettings): RunSettings {
  return picked(from, RUN_SETTING_NAMES);
}
