/** @file Changes a right answer into one that is probably wrong, as a careless worker would. */
import { randomIndex, type Random } from '../../contract';
import type { AnswerForm } from './answer';
import { pickOf } from './draw';

export function nearMiss(form: AnswerForm, reference: string, random: Random): string {
  switch (form) {
    case 'number':
      return offNumber(reference, random);
    case 'list':
      return offList(reference.split(', '), random).join(', ');
    case 'set':
      return withoutOne(reference.split(', '), random).join(', ');
    case 'text':
      return swapped([...reference], random).join('');
    default:
      return form satisfies never;
  }
}

/** The number with a small difference, or with two digits exchanged. */
function offNumber(text: string, random: Random): string {
  if (random() < 0.3) return swapped([...text], random).join('');
  const places = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  const digits = BigInt(text.replace('.', ''));
  const changed = digits + BigInt(pickOf([-10, -2, -1, 1, 2, 10], random));
  if (places === 0) return String(changed);
  const padded = String(changed).padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

function offList(items: readonly string[], random: Random): readonly string[] {
  const at = randomIndex(random, items.length);
  const isNumber = /^-?\d+$/.test(items[at] ?? '');
  if (!isNumber || random() < 0.5) return swapped(items, random);
  return items.map((item, index) => (index === at ? offNumber(item, random) : item));
}

/** Exchanges two neighbours. */
function swapped(items: readonly string[], random: Random): readonly string[] {
  if (items.length < 2) return items;
  const at = randomIndex(random, items.length - 1);
  return [...items.slice(0, at), ...items.slice(at, at + 2).toReversed(), ...items.slice(at + 2)];
}

function withoutOne(items: readonly string[], random: Random): readonly string[] {
  const at = randomIndex(random, items.length);
  return items.length < 2 ? items : items.filter((_, index) => index !== at);
}
