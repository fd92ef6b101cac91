/** @file Searches for the kind of each person: knight or knave. Each check of a statement costs one step. */
import { randomIndex, shuffled, type Random } from '../../contract';
import type { SearchOutcome, Effort, Strategy } from '../family';
import { fits, type Claim, type Kinds, type Statement, type Statements } from './puzzle';

export const STRATEGIES = [
  {
    name: 'busiest',
    advice: 'Begin with the person who is spoken of most, suppose one kind, and drop it at the first contradiction.',
    wording: /\bspoken of most\b|\bmentioned most\b|\bmost (?:often )?mentioned\b/i,
  },
  {
    name: 'suppose',
    advice: 'Suppose that the first speaker tells the truth, follow what that forces, and then suppose the opposite.',
    wording: /\bsuppose\b|\bassume\b|\bcontradiction\b/i,
  },
  {
    name: 'guess',
    advice: 'Guess who tells the truth, then change one person at a time until the statements fit.',
    wording: /\bguess\b|\bone person at a time\b/i,
  },
] as const satisfies readonly [Strategy, ...Strategy[]];

/** Searches for kinds that are consistent with every statement. Returns the best kinds found. */
export function searchStatements(puzzle: Statements, effort: Effort<Kinds>): SearchOutcome<Kinds> {
  // The careless mistake of this family: the search overlooks one statement.
  const makesSlip = effort.random() < (effort.slip ?? 0);
  const overlooked = makesSlip ? randomIndex(effort.random, puzzle.statements.length) : -1;
  const statements = puzzle.statements.filter((_, index) => index !== overlooked);
  const search = new Search(puzzle, statements, effort);
  const found =
    effort.from || effort.strategy === 'guess' ? search.change(effort.from) : search.suppose(effort.strategy);
  const misfits = statements.filter((statement) => !fits(statement, found));
  const [misfit] = misfits;
  if (!misfit)
    return { answer: found, exact: true, work: [`Each of the ${statements.length} statements I looked at fits.`] };
  return {
    answer: found,
    exact: false,
    work: [`I could not make the statement of ${puzzle.people[misfit.speaker] ?? ''} fit.`],
  };
}

class Search {
  readonly #count: number;
  readonly #statements: readonly Statement[];
  readonly #random: Random;
  #left: number;

  constructor(puzzle: Statements, statements: readonly Statement[], effort: Effort<Kinds>) {
    this.#count = puzzle.people.length;
    this.#statements = statements;
    this.#random = effort.random;
    this.#left = effort.steps;
  }

  /** Depth-first search over people. Each statement is checked as soon as all of its people have a kind. */
  suppose(strategy: string): Kinds {
    const order = this.#order(strategy);
    const kinds: boolean[] = Array.from({ length: this.#count }, () => false);
    let fullest: { readonly depth: number; readonly kinds: Kinds } = { depth: -1, kinds: this.#randomKinds() };
    const placed = new Set<number>();
    const descend = (depth: number): boolean => {
      const who = order[depth];
      if (who === undefined) return true;
      placed.add(who);
      const first = this.#random() < 0.5;
      for (const kind of [first, !first]) {
        kinds[who] = kind;
        const fitting = this.#fitSoFar(who, placed, kinds);
        if (fitting && depth > fullest.depth) fullest = { depth, kinds: this.#completed(kinds, placed) };
        if (fitting && descend(depth + 1)) return true;
        if (this.#left <= 0) break;
      }
      placed.delete(who);
      return false;
    };
    return descend(0) ? kinds : fullest.kinds;
  }

  /** Local search: repeatedly picks a statement that does not fit, and changes the kind of one of its people. */
  change(from?: Kinds): Kinds {
    const kinds = [...(from ?? this.#randomKinds())];
    let best: Kinds = [...kinds];
    let fewest = Infinity;
    while (this.#left > 0) {
      this.#left -= this.#statements.length;
      const misfits = this.#statements.filter((statement) => !fits(statement, kinds));
      if (misfits.length < fewest) [best, fewest] = [[...kinds], misfits.length];
      const misfit = misfits[randomIndex(this.#random, misfits.length)];
      if (!misfit) break;
      const people = peopleIn(misfit, this.#count);
      const who = people[randomIndex(this.#random, people.length)] ?? 0;
      kinds[who] = !kinds[who];
    }
    return best;
  }

  #order(strategy: string): number[] {
    const people = Array.from({ length: this.#count }, (_, who) => who);
    if (strategy === 'suppose') return people;
    const mentions = people.map((who) => this.#statements.filter((each) => peopleIn(each, 0).includes(who)).length);
    return shuffled(people, this.#random).sort((one, other) => (mentions[other] ?? 0) - (mentions[one] ?? 0));
  }

  #fitSoFar(who: number, placed: ReadonlySet<number>, kinds: Kinds): boolean {
    for (const statement of this.#statements) {
      const people = peopleIn(statement, this.#count);
      if (!people.includes(who) || !people.every((each) => placed.has(each))) continue;
      if (this.#left-- <= 0 || !fits(statement, kinds)) return false;
    }
    return true;
  }

  #completed(kinds: Kinds, placed: ReadonlySet<number>): Kinds {
    return kinds.map((kind, who) => (placed.has(who) ? kind : this.#random() < 0.5));
  }

  #randomKinds(): Kinds {
    return Array.from({ length: this.#count }, () => this.#random() < 0.5);
  }
}

/** The people that a statement depends on. A claim about the number of knights depends on everyone. */
function peopleIn({ speaker, claim }: Statement, count: number): number[] {
  return [...new Set([speaker, ...claimed(claim, count)])];
}

function claimed(claim: Claim, count: number): readonly number[] {
  switch (claim.kind) {
    case 'is':
      return [claim.who];
    case 'both':
    case 'one':
    case 'alike':
      return claim.who;
    case 'count':
      return Array.from({ length: count }, (_, who) => who);
    default:
      return claim satisfies never;
  }
}
