/** @file Keeps track of who has which thing, while people exchange their things. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, pickOf, repeat, sampleOf } from '../draw';
import { NAMES, THINGS } from '../words';

/** People pass their things on in a ring. `byThing`: the story does not name the first of them, but the thing they have. */
interface Exchange {
  readonly ring: readonly number[];
  readonly byThing: boolean;
}

export interface Story {
  readonly names: readonly string[];
  /** The thing that each person has at first. */
  readonly things: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly asked: readonly string[];
}

export const whoHasWhat: Definition<Story> = {
  id: 'who-has-what',
  label: 'Who has what',
  domain: 'language',
  // The number of exchanges.
  sizes: [3, 5, 8, 12, 19, 30, 46, 72],
  form: 'list',
  draw: (random, count) => {
    const people = between(random, 5, 7);
    const things = sampleOf(THINGS, people, random);
    return {
      names: sampleOf(NAMES, people, random),
      things,
      exchanges: repeat(count, () => drawExchange(random, people)),
      asked: sampleOf(things, 3, random),
    };
  },
  ask: (story) =>
    `${story.names.map((name, index) => `${name} has the ${story.things[index] ?? ''}.`).join(' ')} Then the exchanges below happen, one line after the other. All things in a line change hands at the same time.\n\n${sentences(story).join('\n')}\n\nWho has the ${story.asked.join(', who has the ')}?`,
  answer: 'the list of the three names in the order of the things asked for, separated by commas',
  solve: (story) => {
    const held = story.exchanges.reduce(afterExchange, story.things);
    return story.asked.map((thing) => story.names[held.indexOf(thing)]).join(', ');
  },
  // Each person who takes part gets another thing.
  steps: ({ exchanges }) => exchanges.reduce((sum, { ring }) => sum + ring.length, 0),
};

function drawExchange(random: Random, people: number): Exchange {
  const everyone = repeat(people, (index) => index);
  return { ring: sampleOf(everyone, pickOf([2, 2, 3], random), random), byThing: random() < 0.3 };
}

/** The things that the people have after an exchange. Each person of the ring gives to the next one, and the last one to the first. */
function afterExchange(held: readonly string[], { ring }: Exchange): readonly string[] {
  return held.map((thing, person) => {
    const at = ring.indexOf(person);
    return at < 0 ? thing : (held[ring.at(at - 1) ?? person] ?? thing);
  });
}

function sentences({ names, things, exchanges }: Story): readonly string[] {
  let held = things;
  return exchanges.map((exchange) => {
    const [first = '', second = '', third] = exchange.ring.map((person) => names[person] ?? '');
    const thing = exchange.byThing ? (held[exchange.ring[0] ?? 0] ?? '') : null;
    held = afterExchange(held, exchange);
    if (third === undefined)
      return `${second} and ${thing === null ? first : `the one who has the ${thing}`} swap their things.`;
    const start = thing === null ? `${first}'s thing` : `The ${thing}`;
    const end = thing === null ? first : `the one who had the ${thing}`;
    return `${start} goes to ${second}, ${second}'s to ${third}, and ${third}'s to ${end}.`;
  });
}
