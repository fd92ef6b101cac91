/**
 * @file Explains why a text contains no workflow: the workflow is cut off, unreadable or missing.
 */
import type { PlanProblem } from '../../contract';
import { LIST_NAMES, type Failure, type FoundList, type FoundLists, type ListName } from './find-lists';

const SHOULD: Readonly<Record<ListName, string>> = {
  model_id: 'model_id = [0, 1], with the number of one worker for each step',
  subtasks: 'subtasks = ["…", "…"], with one instruction in quotes for each step',
  access_list: 'access_list = [[], "all"], with what each step sees of the earlier ones',
};
/** Matches the end of a text that was cut off within a list's name: a comma, quotes or Markdown, and the name's first letters. */
const BEGUN_NAME = /^[\s`]*(?:(,)[\s`*"'-]*|[*"'-][\s`*"'-]*)?(?:([a-z_]+)["'`*\s]*)?$/i;
const LONGEST_BEGUN = 60;

/**
 * The list that the end of the text cuts off. `null`: no list is cut off, or the cut-off list contains a complete
 * list.
 */
export function cutOffList({ lists, failures }: FoundLists): Failure | null {
  const open = failures.findLast((failure) => failure.reading?.cutOff);
  const last = lists.at(-1);
  return open && !(last && last.from > open.from) ? open : null;
}

/**
 * The problem of a text without a workflow.
 * @param cutOff whether the engine reports that the answer was cut off. `undefined`: the engine reports nothing
 */
export function explain(text: string, found: FoundLists, cutOff: boolean | undefined): PlanProblem {
  const { lists, failures } = found;
  if (cutOff === true || (cutOff === undefined && endsInside(text, found))) {
    const message =
      'The answer was cut off before its lists were complete; a shorter one, or a higher token limit, is needed.';
    return { code: 'cut-off', message, at: text.length };
  }
  const missing = LIST_NAMES.filter((name) => lists.every((list) => list.name !== name));
  const failure = failures.findLast(({ name, reading }) => missing.includes(name) && reading !== null);
  // If no name is missing, one of the three lists is inside an unreadable list. Then the unreadable list is the problem.
  const culprit = missing.length > 0 ? failure : failures.findLast(({ reading }) => reading !== null);
  if (culprit?.reading) {
    const message = `The list ${culprit.name} cannot be read. ${culprit.reading.message}`;
    return { code: 'bad-syntax', message, at: culprit.reading.at };
  }
  const unlisted = failures.findLast(({ name }) => missing.includes(name));
  // `unlisted` is a name that no list follows. In a text without any readable list, it is probably a word in prose.
  if (unlisted && lists.length > 0) {
    const message = `What follows ${unlisted.name} should be a list: ${SHOULD[unlisted.name]}.`;
    return { code: 'wrong-type', message, at: unlisted.at };
  }
  return notFound(missing, lists);
}

function endsInside(text: string, found: FoundLists): boolean {
  if (cutOffList(found)) return true;
  const { lists, failures } = found;
  if (failures.some(({ reading, at }) => reading === null && at >= text.length)) return true;
  const last = lists.at(-1);
  if (!last || text.length - last.end > LONGEST_BEGUN) return false;
  const [, comma = '', letters = ''] = BEGUN_NAME.exec(text.slice(last.end)) ?? [];
  if (letters === '') return comma !== '';
  return LIST_NAMES.some((name) => name.startsWith(letters.toLowerCase()));
}

function notFound(missing: readonly ListName[], lists: readonly FoundList[]): PlanProblem {
  const at = lists.at(-1)?.end ?? 0;
  if (missing.length === LIST_NAMES.length) {
    const message = 'No workflow was found; the lists model_id, subtasks and access_list are needed.';
    return { code: 'not-found', message, at };
  }
  const names = missing.join(' and ');
  const should = missing.map((name) => SHOULD[name]).join('; ');
  const message = `${missing.length === 1 ? 'The list' : 'The lists'} ${names} ${missing.length === 1 ? 'is' : 'are'} missing: write ${should}.`;
  return { code: 'not-found', message, at };
}
