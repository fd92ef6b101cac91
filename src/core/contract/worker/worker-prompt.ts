/**
 * @file The prompt of a worker (arXiv 2512.04388, section 3.1, with Podium's own wording). It is part of the contract
 * because the executor sends it and the simulated workers read it.
 */
import { imageCount } from '../run/image';
import type { PromptMessage, PromptPart } from '../model/message';
import type { Workflow } from '../workflow/workflow';

const INTRODUCTION = 'You solve one subtask within an overall task. Other models work on its other subtasks.';

/**
 * The messages for one step: a single user message. It begins with the overall task. Then come the subtask and the response of
 * each earlier step that this step may see. The step's own subtask comes last.
 *
 * The message does not name the other workers. The worker does not learn whether its step is the last one, so the
 * subtask must state what the answer should look like.
 *
 * If the step's `seesEarlier` is not set, the worker sees only steps of its own round. Then the Conductor must write into the
 * subtask what the worker has to know about the earlier rounds.
 *
 * @param images if they are not sent to this worker, the message only mentions that there are images
 * @param rounds the earlier rounds
 * @param closing what the subtask ends with, such as a request for verdicts
 * @param round 0-based
 * @param stepIndex 0-based. Throws a `RangeError` if the workflow has no such step
 */
export function workerPrompt(
  workflow: Workflow,
  round: number,
  stepIndex: number,
  images: SeenImages = NO_IMAGES,
  rounds: readonly SeenRound[] = [],
  closing = '',
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
  if (step.seesEarlier) parts.push(...rounds.flatMap(roundParts));
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
    literal(`${closing}\n</subtask>`),
  );
  return [{ role: 'user', parts, ...(images.sent && count > 0 ? { images: images.hashes } : {}) }];
}

/** The part of an earlier round that a worker's prompt depends on. */
export interface SeenRound {
  /** Output of each step. `null` if a step has no output. */
  readonly outputs: readonly (string | null)[];
}

/** The parts of the prompt about an earlier round: the subtask and output of each step that has an output. */
function roundParts({ outputs }: SeenRound, round: number): PromptPart[] {
  const parts = outputs.flatMap((output, step): PromptPart[] => {
    if (output === null) return [];
    const tag = `round="${round + 1}" number="${step + 1}"`;
    return [
      literal(`\n<earlier-subtask ${tag}>\n`),
      { kind: 'subtask', round, step },
      literal(`\n</earlier-subtask>\n<response ${tag}>\n`),
      { kind: 'output', round, step },
      literal('\n</response>\n'),
    ];
  });
  return parts.length === 0 ? [] : [literal(`\nWhat was done in round ${round + 1}:\n`), ...parts];
}

/** SHA-256 of each of the question's images, and whether the step's worker receives the images. */
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
