/** @file Finds the only order of people in a queue that fits all clues. */
import { randomIndex, type Random } from '../../../contract';
import type { Definition } from '../definition';
import { drawUntil, repeat, sampleOf } from '../draw';
import { NAMES } from '../words';

/** `one` stands before `other`. The names are indexes. `distance`: the number of places between them plus one, or 0 if it is unknown. */
interface Clue {
  readonly one: number;
  readonly other: number;
  readonly distance: number;
}

export interface Queue {
  readonly names: readonly string[];
  readonly clues: readonly Clue[];
}

export const queueOrder: Definition<Queue> = {
  id: 'queue-order',
  label: 'Order of a queue',
  domain: 'logic',
  // The number of people.
  sizes: [4, 5, 7, 9, 11, 13, 16, 19],
  form: 'list',
  draw: (random, people) => {
    const names = sampleOf(NAMES, people, random);
    const order = sampleOf(
      repeat(people, (index) => index),
      people,
      random,
    );
    const clues = repeat(Math.floor(people / 2), () => drawClue(random, order, undefined));
    // As long as another order fits, add a clue that it breaks.
    for (;;) {
      const { orders, isComplete } = fittingOrders(people, clues, 2);
      const other = orders.find((each) => each.join() !== order.join());
      if (!other && isComplete) break;
      clues.push(drawClue(random, order, other));
    }
    return { names, clues: sampleOf(clues, clues.length, random) };
  },
  ask: ({ names, clues }) =>
    `${names.length} people stand in a queue: ${names.join(', ')}. The front of the queue is the first place. Only one order fits all of these facts:\n\n${clues.map((clue) => sentence(clue, names)).join('\n')}\n\nIn which order do they stand?`,
  answer: 'the list of all names from the first to the last place, separated by commas',
  solve: ({ names, clues }) => {
    const {
      orders: [order = []],
    } = fittingOrders(names.length, clues, 1);
    return order.map((index) => names[index]).join(', ');
  },
  // Of each pair of people, one has to come first.
  steps: ({ names }) => (names.length * (names.length - 1)) / 2,
};

/** A clue that is true in the first order, and false in the second one if there is one. */
function drawClue(random: Random, order: readonly number[], wrong: readonly number[] | undefined): Clue {
  return drawUntil(
    () => {
      const at = randomIndex(random, order.length - 1);
      const distance = 1 + randomIndex(random, Math.min(4, order.length - 1 - at));
      const [one = 0, other = 0] = [order[at], order[at + distance]];
      return { one, other, distance: random() < 0.6 ? distance : 0 };
    },
    ({ one, other, distance }) => {
      if (!wrong) return true;
      const found = wrong.indexOf(other) - wrong.indexOf(one);
      return distance === 0 ? found < 0 : found !== distance;
    },
  );
}

/** The search for orders gives up after this many attempts to place someone. The puzzle then gets another clue. */
const MOST_ATTEMPTS = 400;

/** Up to `limit` orders that fit the clues. Fills the places from the front. */
function fittingOrders(people: number, clues: readonly Clue[], limit: number) {
  const orders: (readonly number[])[] = [];
  let attempts = 0;
  /** @param reserved the people whose distance from someone in the order is known, by place */
  const fill = (order: readonly number[], reserved: ReadonlyMap<number, number>) => {
    if (order.length === people) orders.push(order);
    attempts++;
    const place = order.length;
    const due = reserved.get(place);
    for (let person = 0; person < people && orders.length < limit && attempts < MOST_ATTEMPTS; person++) {
      if (order.includes(person) || (due !== undefined && due !== person)) continue;
      if (clues.some(({ one, other, distance }) => other === person && !isBehind(order, one, place, distance)))
        continue;
      const next = withReserved(reserved, clues, person, place);
      if (next && [...next.keys()].every((each) => each < people)) fill([...order, person], next);
    }
  };
  fill([], new Map());
  return { orders, isComplete: attempts < MOST_ATTEMPTS };
}

/** Whether `one` already stands before this place, at this distance unless it is 0. */
function isBehind(order: readonly number[], one: number, place: number, distance: number): boolean {
  const before = order.indexOf(one);
  return before >= 0 && (distance === 0 || place - before === distance);
}

/** Also reserves the places behind a person. `null`: two people would need one place, or one person two places. */
function withReserved(
  reserved: ReadonlyMap<number, number>,
  clues: readonly Clue[],
  person: number,
  place: number,
): ReadonlyMap<number, number> | null {
  const places = new Map(reserved);
  for (const { one, other, distance } of clues) {
    if (one !== person || distance === 0) continue;
    const holder = places.get(place + distance);
    if (holder !== undefined && holder !== other) return null;
    places.set(place + distance, other);
  }
  return new Set(places.values()).size === places.size ? places : null;
}

function sentence({ one, other, distance }: Clue, names: readonly string[]): string {
  const [front = '', back = ''] = [names[one], names[other]];
  if (distance === 0) return `${front} stands somewhere before ${back}.`;
  if (distance === 1) return `${front} stands directly before ${back}.`;
  const between = distance === 2 ? 'exactly one person stands' : `exactly ${distance - 1} people stand`;
  return `${front} stands before ${back}, and ${between} between them.`;
}
