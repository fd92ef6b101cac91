/** @file RLPR: general reasoning questions with short reference answers (openbmb/RLPR-Train-Dataset). */
import { parseJson, type Domain, type TableRow } from '../../../contract';
import { optionalText, requiredText, textOf, UnfitRow, valueAt } from '../row-fields';
import type { SetMap } from './set-map';

/**
 * Maximum length of a reference, in characters. The grader accepts only the same text, percentage or number.
 * A right answer rarely repeats a long reference word for word. arXiv 2512.04388 uses the same limit.
 */
const LONGEST_REFERENCE = 30;

export const rlpr: SetMap = {
  info: {
    set: 'rlpr',
    title: 'RLPR',
    grader: 'rlpr',
    isConfidential: false,
    files: [
      {
        label: '77,000 questions of general reasoning',
        address: { repository: 'openbmb/RLPR-Train-Dataset' },
        isGated: false,
      },
    ],
  },
  columns: ['prompt', 'ability', 'reward_model'],
  task(row, number) {
    const reference = requiredText(row, 'reward_model.ground_truth').trim();
    if (reference.length > LONGEST_REFERENCE) {
      throw new UnfitRow(
        `The reference is longer than ${LONGEST_REFERENCE} characters, which the grader doesn’t support.`,
      );
    }
    const ability = optionalText(row, 'ability');
    return {
      id: optionalText(row, 'extra_info.index') ?? String(number),
      question: userMessage(row),
      reference,
      grader: 'rlpr',
      domain: domainOf(ability ?? ''),
      ...(ability !== null && { group: ability }),
    };
  },
};

/** The last user message of the prompt. The system message is ignored, because it requests another answer format. */
function userMessage(row: TableRow): string {
  const value = valueAt(row, 'prompt');
  const messages = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  if (typeof messages === 'string' && messages.trim() !== '') return messages;
  if (Array.isArray(messages)) {
    for (const message of messages.toReversed()) {
      const text = roleOf(message) === 'user' ? textOf((message as TableRow)['content']) : null;
      if (text !== null) return text;
    }
  }
  throw new UnfitRow('The field “prompt” contains no message of the user.');
}

function roleOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null ? (message as TableRow)['role'] : undefined;
}

function domainOf(ability: string): Domain {
  if (/math/i.test(ability)) return 'maths';
  return /physic|chemi|biolog|engineer|science|medic|health/i.test(ability) ? 'science' : 'knowledge';
}
