/**
 * @file What a worker is sent (arXiv 2512.04388, section 3.1; the wording is our own). It stands in the contract because the
 * executor sends it and the simulated workers read it.
 */
import { imageCount } from '../run/image';
import type { PromptMessage, PromptPart } from '../model/message';
import type { Workflow } from '../workflow/workflow';

const INTRODUCTION = 'You solve one subtask within an overall task. Other models work on its other subtasks.';

/**
 * The messages for one step: a single user message with the overall task, each earlier step that this one may see as its
 * subtask and its response, and last the step's own subtask. It says nothing about who the other workers are or whether
 * this is the last step: what the answer should look like is for the Conductor's subtask to say.
 *
 * A worker sees only its own round. Of earlier rounds it knows what the Conductor's subtask tells it.
 *
 * @param images SHA-256 of the question's images, and whether this worker is sent them; one that is not is told that they exist
 * @param round 0-based
 * @param stepIndex 0-based; throws a `RangeError` if the workflow has no such step
 */
export function workerPrompt(
  workflow: Workflow,
  round: number,
  stepIndex: number,
  images: SeenImages = NO_IMAGES,
): PromptMessage[] {
  const step = workflow.steps[stepIndex];
  if (!step) throw new RangeError(`The workflow has no step ${stepIndex + 1}.`);
  const parts: PromptPart[] = [
    literal(`${INTRODUCTION}\n\n<overall-task>\n`),
    { kind: 'question' },
    literal('\n</overall-task>\n'),
  ];
  const count = images.hashes.length;
  if (count > 0) parts.push(literal(images.sent ? sentSentence(count) : unseenSentence(count)));
  if (step.access.length > 0) parts.push(literal('\nWhat was done before you:\n'));
  for (const seen of step.access) {
    const number = seen + 1;
    parts.push(
      literal(`\n<earlier-subtask number="${number}">\n`),
      { kind: 'subtask', round, step: seen },
      literal(`\n</earlier-subtask>\n<response number="${number}">\n`),
      { kind: 'output', round, step: seen },
      literal('\n</response>\n'),
    );
  }
  parts.push(
    literal('\nYour subtask:\n\n<subtask>\n'),
    { kind: 'subtask', round, step: stepIndex },
    literal('\n</subtask>'),
  );
  return [{ role: 'user', parts, ...(images.sent && count > 0 ? { images: images.hashes } : {}) }];
}

/** The images of a question as one worker meets them. */
export interface SeenImages {
  readonly hashes: readonly string[];
  readonly sent: boolean;
}

const NO_IMAGES: SeenImages = { hashes: [], sent: false };

function sentSentence(count: number): string {
  return `\nThe overall task comes with ${imageCount(count)}, which you are sent with this message.\n`;
}

function unseenSentence(count: number): string {
  return `\nThe overall task comes with ${imageCount(count)}, which you cannot see. Of ${count === 1 ? 'it' : 'them'} you know only what others say.\n`;
}

function literal(text: string): PromptPart {
  return { kind: 'literal', text };
}
