/** @file Renders stored prompts to the exact messages that were sent. */
import { fault, FaultError } from '../fault';
import type { Message, PromptMessage, PromptPart } from '../model/message';
import type { StepKey } from './events';
import { questionText } from './follow-up';
import type { Run } from './state';

/** The texts that a prompt can refer to. */
export interface PromptSources {
  /** The question with its files. For a follow-up, it includes the earlier question and answer. */
  readonly question: string;
  /** @returns the subtask of a step, or `undefined` if there is none */
  subtask(round: number, step: number): string | undefined;
  /** @returns the output of a step, or `undefined` if there is none */
  output(round: number, step: number): string | undefined;
}

/** Replaces the references of a prompt by their texts. Throws a `FaultError` (`internal`) if a referenced text is missing. */
export function renderPrompt(messages: readonly PromptMessage[], sources: PromptSources): Message[] {
  return messages.map(({ role, parts, images }) => ({
    role,
    content: parts.map((part) => renderPart(part, sources)).join(''),
    ...(images ? { images } : {}),
  }));
}

function renderPart(part: PromptPart, sources: PromptSources): string {
  switch (part.kind) {
    case 'literal':
    case 'blob':
      return part.text;
    case 'question':
      return sources.question;
    case 'subtask':
      return present(sources.subtask(part.round, part.step), part);
    case 'output':
      return present(sources.output(part.round, part.step), part);
    default:
      return part satisfies never;
  }
}

function present(text: string | undefined, part: PromptPart & { round: number; step: number }): string {
  if (text !== undefined) return text;
  throw new FaultError(
    fault('internal', `The prompt refers to the ${part.kind} of step ${part.step + 1}, which is not in this run.`),
  );
}

/** The texts of a run that the run's prompts can refer to. */
export function sourcesOf(run: Run): PromptSources {
  const stepOf = (round: number, step: number) => run.rounds[round]?.steps[step];
  return {
    question: questionText(run.question),
    subtask: (round, step) => stepOf(round, step)?.step.subtask,
    output: (round, step) => stepOf(round, step)?.output ?? undefined,
  };
}

/**
 * The exact messages for one attempt at a step. Throws a `FaultError` (`internal`) if a referenced text is missing.
 * @returns `null` if the run has no such attempt. Reused and skipped steps have no attempts
 */
export function renderMessages(run: Run, key: StepKey): Message[] | null {
  const attempts = run.rounds[key.round]?.steps[key.step]?.attempts;
  const attempt = attempts?.find((each) => each.attempt === key.attempt);
  return attempt ? renderPrompt(attempt.messages, sourcesOf(run)) : null;
}

/**
 * The text whose SHA-256 is stored in `step-started`: the messages as JSON, with keys in the order role, content,
 * images. Images are represented by their own SHA-256.
 */
export function digestText(messages: readonly Message[]): string {
  return JSON.stringify(
    messages.map(({ role, content, images }) => ({ role, content, ...(images ? { images } : {}) })),
  );
}
