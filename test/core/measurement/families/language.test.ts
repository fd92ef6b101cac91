import { cipher } from '../../../../src/core/measurement/families/language/cipher';
import { letterCounts } from '../../../../src/core/measurement/families/language/letter-counts';
import { ownAlphabet } from '../../../../src/core/measurement/families/language/own-alphabet';
import { relationChains } from '../../../../src/core/measurement/families/language/relation-chains';
import { whoHasWhat } from '../../../../src/core/measurement/families/language/who-has-what';
import { wordMoves } from '../../../../src/core/measurement/families/language/word-moves';
import { describeFamily } from './describe-family';

describeFamily(letterCounts, (_, { question }) => {
  const [, letters = ''] = /letters (.*) occur in the text/.exec(question) ?? [];
  const counts = new Map(letters.split(', ').map((letter) => [letter, 0]));
  for (const character of question.split('\n\n')[1] ?? '') {
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  return [...counts].map(([, count]) => count).join(' / ');
});

describeFamily(wordMoves, (_, { question }) => {
  // Reads the instructions from the question, and gives each word a number that decides its place.
  const words = (/^Words: (.*)$/m.exec(question)?.[1] ?? '').split(' ');
  let places = new Map(words.map((word, index) => [word, index + 1]));
  for (const [, verb, one, other] of question.matchAll(/^\d+\. (\w+) .*?place?s? (\d+)\D+(\d+)\.$/gm)) {
    const [from, to] = [Number(one), Number(other)];
    const moved = (place: number): number => {
      if (verb === 'Swap') return place === from ? to : place === to ? from : place;
      if (verb === 'Reverse') return place >= from && place <= to ? from + to - place : place;
      if (place === from) return to;
      const closed = place > from ? place - 1 : place;
      return closed >= to ? closed + 1 : closed;
    };
    places = new Map([...places].map(([word, place]) => [word, moved(place)]));
  }
  return words.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0)).join(' ');
});

describeFamily(cipher, (_, { question }) => {
  // Reads the encoded words from the question, and steps back in the alphabet letter by letter.
  const shifts = (/places are ([\d, ]+), and/.exec(question)?.[1] ?? '').split(', ').map(Number);
  const [, text = ''] = /^Encoded: (.*)$/m.exec(question) ?? [];
  const before = new Map(
    [...'abcdefghijklmnopqrstuvwxyz'].map((letter, index, all) => [letter, all.at(index - 1) ?? '']),
  );
  let used = 0;
  return text.replace(/[a-z]/g, (letter) => {
    let plain = letter;
    for (let left = shifts[used % shifts.length] ?? 0; left > 0; left--) plain = before.get(plain) ?? '';
    used++;
    return plain;
  });
});

describeFamily(whoHasWhat, ({ names }, { question }) => {
  // Reads the story from the question, and keeps the owner of each thing.
  const owners = new Map(
    [...question.matchAll(/(\w+) has the (\w+)\. /g)].map(([, name = '', thing = '']) => [thing, name]),
  );
  const thingOf = (name: string) => [...owners].find(([, owner]) => owner === name)?.[0] ?? '';
  for (const line of (question.split('\n\n')[1] ?? '').split('\n')) {
    const swap = /^(\w+) and (?:the one who has the )?(\w+) swap/.exec(line);
    const ring = /^(?:The (\w+)|(\w+)'s thing) goes to (\w+), \3's to (\w+), and \4's to/.exec(line);
    if (swap) {
      const [, second = '', named = ''] = swap;
      const first = names.includes(named) ? named : (owners.get(named) ?? '');
      const [one, other] = [thingOf(first), thingOf(second)];
      owners.set(one, second).set(other, first);
    }
    if (ring) {
      const [, thing, name = '', second = '', third = ''] = ring;
      const first = thing === undefined ? name : (owners.get(thing) ?? '');
      const [one, two, three] = [thingOf(first), thingOf(second), thingOf(third)];
      owners.set(one, second).set(two, third).set(three, first);
    }
  }
  const [, asked = ''] = /\n\nWho has the (.*)\?/.exec(question) ?? [];
  return asked
    .split(', who has the ')
    .map((thing) => owners.get(thing))
    .join(', ');
});

describeFamily(relationChains, (_, { question }) => {
  // Reads facts and chains from the question, and replaces the innermost relation until only a name is left.
  const names = new Map(
    [...question.matchAll(/^(\w+) is (the \w+ of \w+)\.$/gm)].map(([, name = '', text = '']) => [text, name]),
  );
  const chains = [...question.matchAll(/^\d+\. (.*)$/gm)].map(([, text = '']) => {
    let rest = text;
    while (rest.includes(' ')) rest = rest.replace(/the \w+ of \w+$/, (last) => names.get(last) ?? '');
    return rest;
  });
  return chains.join('; ');
});

describeFamily(ownAlphabet, (_, { question }) => {
  // Spells the words with the usual letters at the same places of the alphabet, and sorts them as usual.
  const [, letters = '', listed = ''] = question
    .split('\n\n')
    .flatMap((part) => (part.startsWith('Sort') ? [part] : part.replace('Words: ', '')));
  const usual = 'abcdefghijklmnopqrstuvwxyz';
  const alphabet = letters.replaceAll(' ', '');
  const spelled = (word: string) => [...word].map((letter) => usual.charAt(alphabet.indexOf(letter))).join('');
  return listed
    .split(', ')
    .map((word) => [spelled(word), word] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, word]) => word)
    .join('\n')
    .replaceAll('\n', ' < ');
});
