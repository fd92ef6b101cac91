/**
 * @file GPQA Diamond: 198 questions by experts (Idavidrein/gpqa). The authors ask users not to publish the
 * questions as plain text on the web, so the dataset is confidential.
 */
import { sha256Hex } from '../../../contract';
import { choiceQuestion } from '../multiple-choice';
import { optionalText, requiredText } from '../row-fields';
import type { SetMap } from './set-map';

/** The seed is fixed, so that every import orders the options in the same way. Then results can be compared. */
const ORDER_SEED = 0;

const OPTIONS = ['Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3'] as const;

export const gpqaDiamond: SetMap = {
  info: {
    set: 'gpqa-diamond',
    title: 'GPQA Diamond',
    grader: 'letter',
    isConfidential: true,
    files: [
      {
        label: '198 questions by experts in biology, chemistry and physics',
        address: { repository: 'Idavidrein/gpqa', file: 'gpqa_diamond.csv' },
        isGated: true,
      },
    ],
  },
  columns: ['Question', ...OPTIONS],
  task(row) {
    const question = requiredText(row, 'Question');
    const id = optionalText(row, 'Record ID') ?? sha256Hex(question).slice(0, 16);
    const domain = optionalText(row, 'High-level domain');
    const options = OPTIONS.map((column) => requiredText(row, column));
    return {
      id,
      ...choiceQuestion(question, options, 0, { seed: ORDER_SEED, id }),
      grader: 'letter',
      domain: 'science',
      artefactRules: 'gpqa',
      ...(domain !== null && { group: domain }),
    };
  },
};
