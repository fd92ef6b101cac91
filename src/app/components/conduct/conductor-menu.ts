/** @file Builds the Conductor menu. With many workers, one entry stands for all of them, and a second menu lists them. */
import type { PoolWorker } from '../../../core/contract';
import { partsOf, withWorker } from '../../../core/conductor/solo';
import { partOfPolicy } from '../../../core/conductor/with-policy-info';
import type { ConductorChoice, ConductorGroup } from '../../services';

/** Above this number, plan-writing workers share one entry, and the second menu lists them. */
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

/** The second menu: its label and options. Each option is a Conductor. */
export interface SecondMenu {
  readonly label: string;
  readonly options: readonly MenuOption[];
}

/**
 * The groups of the menu. Conductors that combine a model with the policy share two entries: one for the policy that chooses the
 * steps, and one for the policy that ranks the plans. Above `MOST_WRITERS`, all plan-writing workers share one entry. A shared
 * entry stands for the chosen Conductor, or for its first Conductor if none of them is chosen.
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
 * The second menu for a chosen Conductor. It selects the worker of a template, or the model that writes. `null` if there is
 * nothing to choose.
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
    return { label: 'Worker', options: [{ id: choice.info.id, label: 'The best' }, ...named] };
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
 * The Conductors that represent shared entries: for each part that the policy plays, the chosen Conductor, or else the first one.
 * All Conductors without the policy count as the part `''`.
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

/** If the user chose a worker for this template, the template's entry gets the id that includes the worker. */
function optionOf({ info, name, description }: ConductorChoice, chosen: string): MenuOption {
  const id = partsOf(chosen).template === info.id ? chosen : info.id;
  return { id, label: name ?? info.label, title: description };
}
