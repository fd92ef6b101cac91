/** @file AIME 2025: 30 competition problems whose answers are integers from 0 to 999 (yentinglin/aime_2025). */
import { optionalText, requiredText, UnfitRow } from '../row-fields';
import type { SetMap } from './set-map';

const INTEGER = /^\d{1,3}$/;

export const aime2025: SetMap = {
  info: {
    set: 'aime-2025',
    title: 'AIME 2025',
    grader: 'mathematics',
    isConfidential: false,
    files: [{ label: '30 competition problems', address: { repository: 'yentinglin/aime_2025' }, isGated: false }],
  },
  columns: ['problem', 'answer'],
  // Many other tables have these columns, too. So the table's name and answers are also checked.
  isTable: ({ source, preview }) => {
    const name = source.kind === 'file' ? source.name : `${source.repository}/${source.file}`;
    return /aime/i.test(name) && preview.every((row) => INTEGER.test(answerOf(optionalText(row, 'answer'))));
  },
  task(row, number) {
    const answer = answerOf(requiredText(row, 'answer'));
    if (!INTEGER.test(answer)) throw new UnfitRow('The answer is not an integer from 0 to 999.');
    return {
      id: optionalText(row, 'id') ?? String(number),
      question: requiredText(row, 'problem'),
      reference: answer,
      grader: 'mathematics',
      domain: 'maths',
      artefactRules: 'aime',
    };
  },
};

/** The number in an answer. Some copies of the dataset have a degree sign or a space after the number. */
function answerOf(text: string | null): string {
  return (text ?? '')
    .trimEnd()
    .replace(/\^?\\?(?:circ|°)?$/u, '')
    .trim();
}
