/**
 * @file BigCodeBench (bigcode/bigcodebench, bigcode/bigcodebench-hard). Each task shows the beginning of a Python
 * function that uses libraries. The answer must complete the function.
 */
import { COMPLETE_CODE } from '../program-wordings';
import { unitTestReference } from '../program-reference';
import { listOfTexts, requiredText, UnfitRow, valueAt } from '../row-fields';
import type { SetMap } from './set-map';

/** The file of the dataset version that arXiv 2512.04388 uses. */
const FILE = 'data/v0.1.4-00000-of-00001.parquet';

export const bigCodeBench: SetMap = {
  info: {
    set: 'bigcodebench',
    title: 'BigCodeBench',
    grader: 'unittest',
    isConfidential: false,
    files: [
      {
        label: 'Hard: 148 tasks',
        address: { repository: 'bigcode/bigcodebench-hard', file: FILE },
        isGated: false,
      },
      { label: 'Full: 1,140 tasks', address: { repository: 'bigcode/bigcodebench', file: FILE }, isGated: false },
    ],
  },
  columns: ['task_id', 'complete_prompt', 'canonical_solution', 'test', 'entry_point', 'libs'],
  task(row) {
    const prompt = requiredText(row, 'complete_prompt');
    const libraries = listOfTexts(valueAt(row, 'libs'));
    if (libraries === null) throw new UnfitRow('The field “libs” is not a list of texts.');
    return {
      id: requiredText(row, 'task_id'),
      question: COMPLETE_CODE.replace('{{}}', () => prompt.trimEnd()),
      reference: unitTestReference({
        test: requiredText(row, 'test'),
        entryPoint: requiredText(row, 'entry_point'),
        libraries,
      }),
      // The canonical solution is only the function's body. The head of the function is in the prompt.
      solution: `${prompt}\n${requiredText(row, 'canonical_solution')}`,
      grader: 'unittest',
      domain: 'code',
    };
  },
};
