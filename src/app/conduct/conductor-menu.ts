/**
 * @file Builds the Conductor menu, and the second menu beside it. Similar Conductors share an entry of the Conductor menu. If
 * this entry is chosen, the second menu lists its Conductors.
 */
import type { PoolWorker } from '../../core/contract';
import { partsOf, withWorker } from '../../core/conductor/solo';
import { partOfPolicy } from '../../core/conductor/with-policy-info';
import type { ConductorChoice, ConductorGroup } from '../services';

/** If more workers than this can write plans, they share one entry of the menu. */
export const MOST_WRITERS = 8;

const GROUPS: readonly (readonly [ConductorGroup, label: string])[] = [
  ['built-in', 'Built in'],
  ['local', 'On this machine'],
  ['worker', 'A worker writes the plan'],
  ['policy', 'A model and the trained policy'],
  ['paper', 'Baselines of the paper'],
  ['podium', 'Podium’s own templates'],
];

export interface MenuOption {
  /** Id of a Conductor. */
  readonly id: string;
  readonly label: string;
  readonly title?: string;
}

export interface MenuGroup {
  /** `''`: no heading. */
  readonly label: string;
  readonly options: readonly MenuOption[];
}

/** The second menu. Each option is a Conductor. */
export interface SecondMenu {
  readonly label: string;
  readonly options: readonly MenuOption[];
}

/**
 * The groups of the menu. One entry is shared by all Conductors in which a model writes the subtasks for the policy's steps.
 * Another entry is shared by all Conductors in which the policy ranks a model's plans. Workers that write plans share an entry if
 * there are more than `MOST_WRITERS`. A shared entry has the id and the name of one of its Conductors: the chosen one, or else
 * the first one.
 */
export function menuGroups(choices: readonly ConductorChoice[], chosen: string): readonly MenuGroup[] {
  const loose = choices.filter(({ group }) => group === undefined).map((choice) => optionOf(choice, chosen));
  const groups = GROUPS.map(([group, label]) => {
    const own = choices.filter((choice) => choice.group === group);
    const shown = isFolded(group, own) ? folded(own, chosen) : own;
    return { label, options: shown.map((choice) => optionOf(choice, chosen)) };
  });
  return [{ label: '', options: loose }, ...groups].filter(({ options }) => options.length > 0);
}

/**
 * The second menu for the chosen Conductor. For a template in which one worker does all steps, the menu lists the workers. For a
 * shared entry, the menu lists the models. `null`: there is nothing else to choose.
 */
export function secondMenu(
  choices: readonly ConductorChoice[],
  chosen: string,
  pool: readonly PoolWorker[],
): SecondMenu | null {
  const choice = choices.find(({ info }) => info.id === chosen || info.id === partsOf(chosen).template);
  if (!choice) return null;
  if (choice.acceptsWorker) {
    const workers = pool.filter(({ kind }) => kind !== 'python' && kind !== 'conductor');
    const named = workers.map((worker) => ({ id: withWorker(choice.info, worker).id, label: worker.name }));
    return { label: 'Worker', options: [{ id: choice.info.id, label: 'Best worker' }, ...named] };
  }
  const alike = choices.filter((each) => each.group === choice.group && partOf(each) === partOf(choice));
  if (!isFolded(choice.group, alike) || alike.length < 2) return null;
  const writer = (each: ConductorChoice) =>
    choices.find(({ info }) => info.id === partOfPolicy(each.info.id)?.model) ?? each;
  return {
    label: 'Model',
    options: alike.map((each) => ({ id: each.info.id, label: writer(each).name ?? writer(each).info.label })),
  };
}

function isFolded(group: ConductorGroup | undefined, own: readonly ConductorChoice[]): boolean {
  return group === 'policy' || (group === 'worker' && own.length > MOST_WRITERS);
}

/**
 * One Conductor for each shared entry: the chosen Conductor, or else the first one. Conductors share an entry if the policy does
 * the same part of the planning in all of them, or if none of them uses the policy.
 */
function folded(own: readonly ConductorChoice[], chosen: string): ConductorChoice[] {
  const parts = [...new Set(own.map(partOf))];
  return parts.flatMap((part) => {
    const alike = own.filter((choice) => partOf(choice) === part);
    return alike.find(({ info }) => info.id === chosen) ?? alike[0] ?? [];
  });
}

function partOf({ info }: ConductorChoice): string {
  return partOfPolicy(info.id)?.part ?? '';
}

/** The option for a Conductor. For a template with a chosen worker, the option's id includes the worker. */
function optionOf({ info, name, description }: ConductorChoice, chosen: string): MenuOption {
  const id = partsOf(chosen).template === info.id ? chosen : info.id;
  return { id, label: name ?? info.label, title: description };
}
