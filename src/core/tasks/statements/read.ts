/** @file Parses puzzles about knights and knaves (people who always or never tell the truth), and answers to such puzzles. */
import { afterAnswer, tidyAnswer, tidyQuestion } from '../wording';
import { COUNTS, type Claim, type Kinds, type Statement, type Statements } from './puzzle';

const MAX_PEOPLE = 10;
const KNIGHT = '(?:knights?|truth[- ]?tellers?|truthful|honest|tell(?:s|ing)? the truth)';
const KNAVE = '(?:knaves?|liars?|lying|lies?|dishonest)';
const KIND = `(?:an? )?(?:(${KNIGHT})|(${KNAVE}))`;
const NAME = '([A-Z][a-z]{0,20}|I)';
const PAIR = `${NAME} and ${NAME}`;

const IS = new RegExp(`^${NAME} (?:is |am |are )?(?:always )?${KIND}$`);
const BOTH = new RegExp(`^${PAIR} (?:are )?both (?:always )?${KIND}$|^[Bb]oth ${PAIR} (?:are )?${KIND}$`);
const ONE = new RegExp(`^[Aa]t least one of ${PAIR} (?:is )?${KIND}$`);
const ALIKE = new RegExp(`^${PAIR} (?:are|is) (?:of )?(the same|different|another) (?:kinds?|types?|sorts?)$`);
const COUNT = new RegExp(
  `^(?:[Ee]xactly |[Tt]here (?:is|are) exactly )?([A-Za-z]+|\\d{1,2}) of (?:us|them|the \\w+) (?:is|are)? ?${KIND}$`,
);

const CLAIM = /\b([A-Z][a-z]{0,20}) (?:says|said|claims|states|tells you)[:,]? ?(?:that )?["']?([^".\n;!?]{3,120})/g;

/** Reads the people and their statements. The whole puzzle is rejected if one statement cannot be parsed. */
export function readStatements(text: string): Statements | null {
  const plain = tidyQuestion(text);
  if (plain === null || !/\b(?:knights?|knaves?|truth|liars?|lies?)\b/i.test(plain)) return null;
  const spoken = [...plain.matchAll(CLAIM)].map(([, speaker = '', words = '']) => ({
    speaker,
    words: words.trim().replace(/'$/, ''),
  }));
  const people = [...new Set(spoken.map(({ speaker }) => speaker))];
  if (spoken.length < 2) return null;
  const parsed = spoken.map(({ speaker, words }) => parseClaim(words, speaker, people));
  if (people.length > MAX_PEOPLE) return null;
  const statements: Statement[] = [];
  for (const [index, claim] of parsed.entries()) {
    if (!claim) return null;
    statements.push({ speaker: people.indexOf(spoken[index]?.speaker ?? ''), claim });
  }
  return { people, statements };
}

/** Parses a claim. Adds newly named people to `people`. */
function parseClaim(words: string, speaker: string, people: string[]): Claim | null {
  const plain = words.replace(/ +/g, ' ').replace(/(?<![., ])[., ]+$/, '');
  const who = (name = ''): number => {
    const known = name === 'I' ? speaker : name;
    if (!people.includes(known)) people.push(known);
    return people.indexOf(known);
  };
  const is = IS.exec(plain);
  if (is) return { kind: 'is', who: who(is[1]), knight: is[2] !== undefined };
  const both = BOTH.exec(plain);
  if (both) {
    const pair = [who(both[1] ?? both[5]), who(both[2] ?? both[6])] as const;
    return { kind: 'both', who: pair, knight: (both[3] ?? both[7]) !== undefined };
  }
  const one = ONE.exec(plain);
  if (one) return { kind: 'one', who: [who(one[1]), who(one[2])], knight: one[3] !== undefined };
  const alike = ALIKE.exec(plain);
  if (alike) return { kind: 'alike', who: [who(alike[1]), who(alike[2])], alike: alike[3] === 'the same' };
  const count = COUNT.exec(plain);
  const number = count ? readCount(count[1] ?? '') : null;
  if (!count || number === null) return null;
  return count[2] !== undefined ? { kind: 'count', knights: number } : null;
}

function readCount(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word);
  const index = (COUNTS as readonly string[]).indexOf(word.toLowerCase());
  return index >= 0 ? index : null;
}

/**
 * The final answer of a text. Reads "Ada is a knight", "Ada and Ben are knaves", "Ada: knight" and "Knights: Ada, Ben".
 * `null` if the text does not say of every person whether they are a knight or a knave.
 */
export function readKinds(text: string, { people }: Statements): Kinds | null {
  const plain = tidyAnswer(text);
  for (const part of [afterAnswer(plain), plain]) {
    const kinds = part === null ? null : kindsIn(part, people);
    if (kinds) return kinds;
  }
  return null;
}

function kindsIn(plain: string, people: readonly string[]): Kinds | null {
  const kinds: (boolean | undefined)[] = people.map(() => undefined);
  const words = new RegExp(
    `\\b(?:(${people.join('|')})\\b|(${KNIGHT})\\b(\\s*(?::|\\bare\\b))?|(${KNAVE})\\b(\\s*(?::|\\bare\\b))?|(not)\\b)|([.;\\n])`,
    'gi',
  );
  let waiting: number[] = [];
  let heading: boolean | undefined;
  let negated = false;
  for (const [, name, knight, knightHeads, knave, knaveHeads, not, stop] of plain.matchAll(words)) {
    if (name) {
      const who = people.findIndex((person) => person.toLowerCase() === name.toLowerCase());
      if (heading === undefined) waiting.push(who);
      else kinds[who] = heading;
    } else if (knight || knave) {
      const isKnight = (knight !== undefined) !== negated;
      negated = false;
      heading = waiting.length === 0 && (knightHeads ?? knaveHeads) ? isKnight : undefined;
      for (const who of waiting) kinds[who] = isKnight;
      waiting = [];
    } else if (not) negated = true;
    else if (stop) {
      waiting = [];
      negated = false;
      heading = stop === '\n' ? heading : undefined;
    }
  }
  return kinds.every((kind) => kind !== undefined) ? kinds : null;
}
