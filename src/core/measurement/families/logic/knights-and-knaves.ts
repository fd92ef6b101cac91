/** @file Finds out who tells the truth. */
import { randomIndex, type Random } from '../../../contract';
import type { Definition } from '../definition';
import { drawUntil, pickOf, repeat, sampleOf } from '../draw';
import { NAMES } from '../words';

const CLAIMS = ['same', 'different', 'some knave', 'some knight', 'only the first'] as const;

/** What `speaker` says about two others. All three are indexes of names. */
interface Statement {
  readonly speaker: number;
  readonly claim: (typeof CLAIMS)[number];
  readonly one: number;
  readonly other: number;
}

export interface Island {
  readonly names: readonly string[];
  readonly statements: readonly Statement[];
}

/** Whether each person is a knight. `undefined`: not known yet. */
type Kinds = readonly (boolean | undefined)[];

export const knightsAndKnaves: Definition<Island, readonly [people: number, statements: number]> = {
  id: 'knights-and-knaves',
  label: 'Knights and knaves',
  domain: 'logic',
  sizes: [
    [4, 4],
    [5, 6],
    [6, 9],
    [8, 13],
    [9, 20],
    [11, 32],
    [12, 50],
    [14, 78],
  ],
  form: 'set',
  draw: (random, [people, statements]) =>
    drawUntil(
      () => drawIsland(random, people, statements),
      (island) => {
        const [kinds, another] = possibleKinds(island);
        return kinds !== undefined && another === undefined && kinds.includes(true) && kinds.includes(false);
      },
    ),
  ask: ({ names, statements }) =>
    `On an island, knights only make true statements, and knaves only make false statements. Everyone is a knight or a knave. ${names.length} people live there: ${names.join(', ')}. They say:\n\n${statements.map((each) => sentence(each, names)).join('\n')}\n\nWho are the knights?`,
  answer: 'the list of the names of all knights, separated by commas',
  solve: (island) => {
    const [kinds = []] = possibleKinds(island);
    return island.names
      .filter((_, index) => kinds[index])
      .toSorted()
      .join(', ');
  },
  // Each statement is compared with two people.
  steps: ({ statements }) => 2 * statements.length,
};

function drawIsland(random: Random, people: number, count: number): Island {
  const kinds = repeat(people, () => random() < 0.5);
  const statements = repeat(count, (index) => {
    // Everyone speaks once before someone speaks again.
    const speaker = index % people;
    return drawUntil(
      (): Statement => ({
        speaker,
        claim: pickOf(CLAIMS, random),
        one: randomIndex(random, people),
        other: randomIndex(random, people),
      }),
      (each) => new Set([speaker, each.one, each.other]).size === 3 && fits(each, kinds),
    );
  });
  return { names: sampleOf(NAMES, people, random), statements: sampleOf(statements, count, random) };
}

/** Whether the statement can be made, as far as the kinds of its three people are known. */
function fits({ speaker, claim, one, other }: Statement, kinds: Kinds): boolean {
  const [teller, a, b] = [kinds[speaker], kinds[one], kinds[other]];
  if (teller === undefined || a === undefined || b === undefined) return true;
  switch (claim) {
    case 'same':
      return teller === (a === b);
    case 'different':
      return teller === (a !== b);
    case 'some knave':
      return teller === (!a || !b);
    case 'some knight':
      return teller === (a || b);
    case 'only the first':
      return teller === (a && !b);
    default:
      return claim satisfies never;
  }
}

/** The first two ways in which the statements fit, found by trying both kinds for one person after the other. */
function possibleKinds({ names, statements }: Island, kinds: Kinds = []): readonly Kinds[] {
  if (!statements.every((each) => fits(each, kinds))) return [];
  if (kinds.length === names.length) return [kinds];
  const found = possibleKinds({ names, statements }, [...kinds, true]);
  return found.length > 1 ? found : [...found, ...possibleKinds({ names, statements }, [...kinds, false])].slice(0, 2);
}

function sentence({ speaker, claim, one, other }: Statement, names: readonly string[]): string {
  const [who = '', a = '', b = ''] = [names[speaker], names[one], names[other]];
  const words: Readonly<Record<Statement['claim'], string>> = {
    same: `${a} and ${b} are of the same kind.`,
    different: `One of ${a} and ${b} is a knight, and the other one is a knave.`,
    'some knave': `At least one of ${a} and ${b} is a knave.`,
    'some knight': `At least one of ${a} and ${b} is a knight.`,
    'only the first': `${a} is a knight, and ${b} is a knave.`,
  };
  return `${who}: "${words[claim]}"`;
}
