/** @file Follows chains of relations between people, such as “the teacher of the coach of Ada”. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { drawUntil, pickOf, repeat, sampleOf } from '../draw';
import { NAMES } from '../words';

const RELATIONS = ['teacher', 'coach', 'doctor'] as const;
type Relation = (typeof RELATIONS)[number];

/** `other` is the teacher, coach or doctor of `person`. */
type Fact = readonly [person: string, relation: Relation, other: string];

interface Chain {
  readonly person: string;
  /** From the person outwards. */
  readonly relations: readonly Relation[];
}

export interface RelationChains {
  readonly facts: readonly Fact[];
  readonly chains: readonly Chain[];
}

interface Size {
  readonly people: number;
  readonly chains: number;
  readonly length: number;
}

export const relationChains: Definition<RelationChains, Size> = {
  id: 'relation-chains',
  label: 'Chains of relations',
  domain: 'language',
  sizes: [
    { people: 6, chains: 2, length: 3 },
    { people: 7, chains: 2, length: 5 },
    { people: 8, chains: 4, length: 4 },
    { people: 9, chains: 5, length: 5 },
    { people: 10, chains: 5, length: 8 },
    { people: 11, chains: 8, length: 8 },
    { people: 12, chains: 10, length: 10 },
    { people: 13, chains: 10, length: 16 },
  ],
  form: 'list',
  draw: drawChains,
  ask: ({ facts, chains }) =>
    `These facts are known:\n\n${facts.map(([person, relation, other]) => `${other} is the ${relation} of ${person}.`).join('\n')}\n\nWho are these people?\n\n${chains.map((chain, index) => `${index + 1}. ${chainText(chain)}`).join('\n')}`,
  answer: 'the list of the names in the order of the questions, separated by commas',
  solve: ({ facts, chains }) => {
    const known = new Map(facts.map(([person, relation, other]) => [`${relation} of ${person}`, other]));
    return chains
      .map(({ person, relations }) =>
        relations.reduce((current, relation) => known.get(`${relation} of ${current}`) ?? current, person),
      )
      .join(', ');
  },
  // Each relation is looked up.
  steps: ({ chains }) => chains.reduce((sum, { relations }) => sum + relations.length, 0),
};

function drawChains(random: Random, { people, chains, length }: Size): RelationChains {
  const names = sampleOf(NAMES, people, random);
  const facts = names.flatMap((person) =>
    RELATIONS.map((relation): Fact => {
      const other = drawUntil(
        () => pickOf(names, random),
        (name) => name !== person,
      );
      return [person, relation, other];
    }),
  );
  return {
    facts: sampleOf(facts, facts.length, random),
    chains: repeat(chains, () => ({
      person: pickOf(names, random),
      relations: repeat(length, () => pickOf(RELATIONS, random)),
    })),
  };
}

function chainText({ person, relations }: Chain): string {
  return `${relations
    .toReversed()
    .map((relation) => `the ${relation} of `)
    .join('')}${person}`;
}
