/**
 * @file Splits tasks into three parts. The training part is used for reflection, the validation part chooses among candidates, and
 * the test part proves the winner. Equal and near-equal tasks stay in one part, or the test part would not be unseen.
 */
import { mixSeed, seededRandom, shuffled } from '../contract';
import { runsOfWords, wordsOf } from './words';

export interface SplitTask {
  readonly id: string;
  readonly question: string;
}

export interface TaskSplit {
  /** Ids of tasks. */
  readonly train: readonly string[];
  readonly validation: readonly string[];
  readonly test: readonly string[];
  /** `own`: the test tasks are the user's. `generated`: they are not, so that the verdict does not hold for the user's questions. */
  readonly testTasks: 'own' | 'generated';
}

/** With fewer own tasks than this, all of them go into training and validation, and the test runs on generated tasks. */
export const FEWEST_OWN_TASKS = 100;
/** More test tasks than this add cost, but hardly any precision: this number shows a gain of five points. */
const MOST_TEST_TASKS = 650;
/** More validation tasks than this would use up the budget of the search. */
const MOST_VALIDATION_TASKS = 60;

/**
 * @param own the tasks of the search
 * @param generated tasks for the test if there are too few tasks of the search. Tasks that resemble one of these are left out
 * @param areOwn whether the tasks of the search are the user's. Otherwise they were generated, and differ although their wording is alike
 */
export function splitTasks(
  own: readonly SplitTask[],
  generated: readonly SplitTask[],
  seed: number,
  areOwn = true,
): TaskSplit {
  const groups = areOwn ? nearEqualGroups(own) : own.map(({ id }) => [id]);
  const hasTest = own.length >= FEWEST_OWN_TASKS;
  const inOrder = shuffled(groups, seededRandom(mixSeed(seed, 'split')));
  const wantedTest = hasTest ? Math.min(MOST_TEST_TASKS, Math.floor(own.length / 2)) : 0;
  const wantedValidation = Math.min(MOST_VALIDATION_TASKS, Math.floor((own.length - wantedTest) / 2));
  const [test, afterTest] = taken(inOrder, wantedTest);
  const [validation, rest] = taken(afterTest, wantedValidation);
  return {
    train: rest.flat(),
    validation,
    test: hasTest ? test : unlike(generated, own).map(({ id }) => id),
    testTasks: hasTest && areOwn ? 'own' : 'generated',
  };
}

/** Takes whole groups while they fit. */
function taken(groups: readonly (readonly string[])[], wanted: number): [string[], (readonly string[])[]] {
  const part: string[] = [];
  const rest: (readonly string[])[] = [];
  for (const group of groups) {
    if (part.length + group.length <= wanted) part.push(...group);
    else rest.push(group);
  }
  return [part, rest];
}

/** Groups of equal and near-equal tasks, as ids. Each task is in one group. */
export function nearEqualGroups(tasks: readonly SplitTask[]): string[][] {
  const signs = tasks.map(signsOf);
  const parents = tasks.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] ?? root;
    return root;
  };
  for (const [one, other] of nearPairs(signs)) parents[rootOf(other)] = rootOf(one);
  const groups = new Map<number, string[]>();
  for (const [index, { id }] of tasks.entries()) {
    const root = rootOf(index);
    groups.set(root, [...(groups.get(root) ?? []), id]);
  }
  return [...groups.values()];
}

/** The tasks that are not near-equal to any of the others. */
function unlike(tasks: readonly SplitTask[], others: readonly SplitTask[]): SplitTask[] {
  const signs = [...others, ...tasks].map(signsOf);
  const near = new Set<number>();
  for (const [one, other] of nearPairs(signs)) if (one < others.length && other >= others.length) near.add(other);
  return tasks.filter((_, index) => !near.has(others.length + index));
}

/** Share of the signs that near-equal tasks have in common. */
const NEAR = 0.7;
/** Signs of more tasks than this are wording that the tasks of a dataset share. They find no pairs. */
const MOST_SHARED = 50;

/** The runs of three words of a question, or the whole question if it is shorter. */
function signsOf({ question }: SplitTask): Set<string> {
  const words = wordsOf(question);
  return words.length < 3 ? new Set([words.join(' ')]) : runsOfWords(words, 3);
}

function* nearPairs(signs: readonly ReadonlySet<string>[]): Generator<readonly [number, number]> {
  const owners = new Map<string, number[]>();
  for (const [index, own] of signs.entries()) {
    for (const sign of own) owners.set(sign, [...(owners.get(sign) ?? []), index]);
    const equal = owners.get(`= ${[...own].join('|')}`);
    if (equal?.[0] !== undefined) yield [equal[0], index];
    owners.set(`= ${[...own].join('|')}`, [...(equal ?? []), index]);
  }
  const compared = new Set<string>();
  for (const [sign, indexes] of owners) {
    if (sign.startsWith('= ') || indexes.length < 2 || indexes.length > MOST_SHARED) continue;
    for (const [place, one] of indexes.entries()) {
      for (const other of indexes.slice(place + 1)) {
        const pair = `${one} ${other}`;
        if (compared.has(pair)) continue;
        compared.add(pair);
        if (similarity(signs[one], signs[other]) >= NEAR) yield [one, other];
      }
    }
  }
}

/** The Jaccard index of two sets. */
function similarity(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): number {
  let shared = 0;
  for (const sign of one) if (other.has(sign)) shared += 1;
  return shared / (one.size + other.size - shared);
}
