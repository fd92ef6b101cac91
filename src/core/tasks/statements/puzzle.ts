/**
 * @file The statement puzzle: people make statements about each other. Knights always tell the truth, and knaves always
 * lie. The task is to find out who is a knight.
 */
import { randomIndex, shuffled, type Random } from '../../contract';
import { listed, pick } from '../wording';

/**
 * The content of a statement. People are indexes of `Statements.people`. A claim of the kind `one` is one of
 * two sentences: "At least one of the two is a knight" or "At least one of the two is a knave".
 */
export type Claim =
  | { readonly kind: 'is'; readonly who: number; readonly knight: boolean }
  | { readonly kind: 'both'; readonly who: readonly [number, number]; readonly knight: boolean }
  | { readonly kind: 'one'; readonly who: readonly [number, number]; readonly knight: boolean }
  | { readonly kind: 'alike'; readonly who: readonly [number, number]; readonly alike: boolean }
  | { readonly kind: 'count'; readonly knights: number };

export interface Statement {
  readonly speaker: number;
  readonly claim: Claim;
}

export interface Statements {
  /** At most 10 names, in the order in which they appear. */
  readonly people: readonly string[];
  readonly statements: readonly Statement[];
}

/** For each person: `true` for a knight, `false` for a knave. */
export type Kinds = readonly boolean[];

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gita', 'Hugo', 'Iris', 'Jon'] as const;
export const COUNTS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;

/** Whether a claim is true if people are of these kinds. */
function holds(claim: Claim, kinds: Kinds): boolean {
  switch (claim.kind) {
    case 'is':
      return kinds[claim.who] === claim.knight;
    case 'both':
      return claim.who.every((who) => kinds[who] === claim.knight);
    case 'one':
      return claim.who.some((who) => kinds[who] === claim.knight);
    case 'alike':
      return (kinds[claim.who[0]] === kinds[claim.who[1]]) === claim.alike;
    case 'count':
      return kinds.filter(Boolean).length === claim.knights;
    default:
      return claim satisfies never;
  }
}

/** Whether a statement is consistent with the kinds: a knight's claim must be true, a knave's claim must be false. */
export function fits(statement: Statement, kinds: Kinds): boolean {
  return holds(statement.claim, kinds) === (kinds[statement.speaker] ?? false);
}

/** Returns all 2^count assignments of kinds to people. A puzzle has at most 10 people, so there are at most 1,024. */
export function allKinds(count: number): Kinds[] {
  return Array.from({ length: 1 << count }, (_, bits) =>
    Array.from({ length: count }, (_, who) => ((bits >> who) & 1) === 1),
  );
}

/** Draws random statements that have exactly one solution. */
export function generateStatements(random: Random, difficulty: number): Statements {
  const count = 3 + Math.round(difficulty * 3);
  const people = NAMES.slice(0, count);
  const ways = allKinds(count);
  for (;;) {
    const truth = ways[randomIndex(random, ways.length)] ?? [];
    const statements = people.map((_, speaker) => drawStatement(speaker, truth, random));
    if (ways.filter((kinds) => statements.every((each) => fits(each, kinds))).length === 1)
      return { people, statements };
  }
}

function drawStatement(speaker: number, truth: Kinds, random: Random): Statement {
  for (;;) {
    const others = shuffled(
      truth.map((_, who) => who).filter((who) => who !== speaker),
      random,
    );
    const [one = 0, two = 0] = others;
    const pair = [random() < 0.3 ? speaker : one, two] as const;
    const flag = random() < 0.5;
    const claims: readonly [Claim, ...Claim[]] = [
      { kind: 'is', who: one, knight: flag },
      { kind: 'both', who: pair, knight: flag },
      { kind: 'one', who: pair, knight: flag },
      { kind: 'alike', who: pair, alike: flag },
      { kind: 'count', knights: 1 + randomIndex(random, truth.length - 1) },
    ];
    const statement = { speaker, claim: pick(claims, random) };
    if (pair[0] !== pair[1] && fits(statement, truth)) return statement;
  }
}

interface Words {
  readonly knight: string;
  readonly knave: string;
  readonly rule: string;
  readonly question: string;
}

const WORDS: readonly [Words, ...Words[]] = [
  {
    knight: 'knight',
    knave: 'knave',
    rule: 'Knights always tell the truth and knaves always lie.',
    question: 'Who is a knight and who is a knave?',
  },
  {
    knight: 'truth-teller',
    knave: 'liar',
    rule: 'Truth-tellers always tell the truth, liars never do.',
    question: 'Who is a truth-teller, and who is a liar?',
  },
];

/** Writes the puzzle as a question, in a randomly chosen wording. */
export function writeStatementsQuestion({ people, statements }: Statements, random: Random): string {
  const words = pick(WORDS, random);
  const lines = statements.map(
    ({ speaker, claim }) => `${people[speaker] ?? ''} says: “${claimText(claim, speaker, people, words)}.”`,
  );
  const number = COUNTS[people.length] ?? String(people.length);
  return pick(
    [
      `${capital(number)} people each make one statement. ${words.rule}\n${lines.join('\n')}\n${words.question}`,
      `You meet ${listed(people)}. ${words.rule} ${lines.join(' ')} ${words.question}`,
    ],
    random,
  );
}

function claimText(claim: Claim, speaker: number, people: readonly string[], { knight, knave }: Words): string {
  const name = (who: number) => (who === speaker ? 'I' : (people[who] ?? ''));
  const pair = (who: readonly [number, number]) =>
    who[0] === speaker ? `${name(who[1])} and I` : `${name(who[0])} and ${name(who[1])}`;
  switch (claim.kind) {
    case 'is':
      return `${name(claim.who)} ${claim.who === speaker ? 'am' : 'is'} a ${claim.knight ? knight : knave}`;
    case 'both':
      return `${pair(claim.who)} are both ${claim.knight ? knight : knave}s`;
    case 'one':
      return `At least one of ${pair(claim.who)} is a ${claim.knight ? knight : knave}`;
    case 'alike':
      return `${pair(claim.who)} are of ${claim.alike ? 'the same kind' : 'different kinds'}`;
    case 'count':
      return `Exactly ${COUNTS[claim.knights] ?? claim.knights} of us ${claim.knights === 1 ? `is a ${knight}` : `are ${knight}s`}`;
    default:
      return claim satisfies never;
  }
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
