import { cellRows } from '../../../../src/core/measurement/families/logic/cell-rows';
import { discMoves } from '../../../../src/core/measurement/families/logic/disc-moves';
import { knightsAndKnaves } from '../../../../src/core/measurement/families/logic/knights-and-knaves';
import { queueOrder } from '../../../../src/core/measurement/families/logic/queue-order';
import { shortestRoute } from '../../../../src/core/measurement/families/logic/shortest-route';
import { describeFamily } from './describe-family';

describeFamily(knightsAndKnaves, ({ names }, { question }) => {
  // Reads the statements from the question, and tries all groups of knights.
  const [, body = ''] = /They say:\n\n([^]*?)\n\nWho/.exec(question) ?? [];
  const holds = body.split('\n').map((line) => {
    const bit = (name = '') => 1 << names.indexOf(name);
    const speaker = bit(/^\w+/.exec(line)?.[0]);
    const [one = 0, other = 0] = [...line.slice(line.indexOf('"')).matchAll(/[A-Z]\w+/g)]
      .filter(([word]) => names.includes(word))
      .map(([word]) => bit(word));
    const both = one | other;
    const isTrue: (knights: number) => boolean = line.includes('same kind')
      ? (knights) => (knights & both) === 0 || (knights & both) === both
      : line.includes('One of')
        ? (knights) => (knights & both) === one || (knights & both) === other
        : line.includes('is a knave.') && line.includes('At least')
          ? (knights) => (knights & both) !== both
          : line.includes('At least')
            ? (knights) => (knights & both) !== 0
            : (knights) => (knights & both) === one;
    return (knights: number) => isTrue(knights) === ((knights & speaker) !== 0);
  });
  const found: string[] = [];
  for (let knights = 0; knights < 1 << names.length; knights++) {
    if (!holds.every((each) => each(knights))) continue;
    found.push(names.filter((_, index) => knights & (1 << index)).join(' and '));
  }
  return found.length === 1 ? (found[0] ?? '') : `${found.length} solutions`;
});

describeFamily(queueOrder, ({ names }, { question }) => {
  // Reads the clues from the question, and narrows the range of places of each person. Then tries the places of one person.
  const clues = [
    ...question.matchAll(/^(\w+) stands (somewhere|directly)? ?before (\w+)(?:, and exactly (\w+) .*)?\.$/gm),
  ].map(([, one = '', how, other = '', between]) => {
    const apart = how === 'directly' ? 1 : between === 'one' ? 2 : Number(between) + 1;
    return { one: names.indexOf(one), other: names.indexOf(other), apart: how === 'somewhere' ? null : apart };
  });
  const solutions: string[] = [];
  const search = (ranges: readonly (readonly number[])[]) => {
    let domains = ranges;
    for (let size = Infinity; size !== domains.flat().length;) {
      size = domains.flat().length;
      for (const { one, other, apart } of clues) {
        const [left = [], right = []] = [domains[one], domains[other]];
        const canPrecede = (place: number) =>
          right.some((each) => (apart === null ? each > place : each - place === apart));
        const canFollow = (place: number) =>
          left.some((each) => (apart === null ? each < place : place - each === apart));
        domains = domains.map((domain, person) =>
          person === one ? domain.filter(canPrecede) : person === other ? domain.filter(canFollow) : domain,
        );
      }
      const taken = domains.filter((domain) => domain.length === 1).flat();
      if (new Set(taken).size < taken.length) return;
      domains = domains.map((domain) =>
        domain.length === 1 ? domain : domain.filter((place) => !taken.includes(place)),
      );
    }
    if (domains.some((domain) => domain.length === 0)) return;
    const open = domains.findIndex((domain) => domain.length > 1);
    if (open < 0) {
      solutions.push(
        names
          .toSorted((a, b) => (domains[names.indexOf(a)]?.[0] ?? 0) - (domains[names.indexOf(b)]?.[0] ?? 0))
          .join(' → '),
      );
      return;
    }
    for (const place of domains[open] ?? [])
      search(domains.map((domain, person) => (person === open ? [place] : domain)));
  };
  search(names.map(() => names.map((_, place) => place)));
  return solutions.length === 1 ? (solutions[0] ?? '') : `${solutions.length} solutions`;
});

describeFamily(shortestRoute, (_, { question }) => {
  // Reads the roads from the question, and shortens the distances road by road until none of them changes.
  const roads = [...question.matchAll(/^(\d+) - (\d+): (\d+) km$/gm)].map((match) => match.slice(1).map(Number));
  const [from = 0, to = 0] = (/from town (\d+) to town (\d+)/.exec(question) ?? []).slice(1).map(Number);
  const distances = new Map([[from, 0]]);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const [one = 0, other = 0, length = 0] of roads) {
      for (const [start, end] of [
        [one, other],
        [other, one],
      ] as const) {
        const distance = (distances.get(start) ?? Infinity) + length;
        if (distance >= (distances.get(end) ?? Infinity)) continue;
        distances.set(end, distance);
        isChanged = true;
      }
    }
  }
  return `${distances.get(to)} km`;
});

describeFamily(discMoves, (_, { question }) => {
  // Reads the discs and moves from the question, and keeps a pile of discs for each peg.
  const [, listed = ''] = /on the pegs (.*)\.$/m.exec(question) ?? [];
  const pegs = new Map<string, number[]>(['A', 'B', 'C'].map((peg) => [peg, []]));
  for (const [index, peg] of listed.split(', ').entries()) pegs.get(peg)?.unshift(index + 1);
  for (const [, from = '', to = ''] of (question.split('\n\n')[2] ?? '').matchAll(/(\w)>(\w)/g)) {
    const [disc, below] = [pegs.get(from)?.at(-1), pegs.get(to)?.at(-1)];
    if (disc === undefined || (below !== undefined && below < disc)) continue;
    pegs.get(from)?.pop();
    pegs.get(to)?.push(disc);
  }
  const all = [...pegs].flatMap(([peg, discs]) => discs.map((disc) => [disc, peg] as const));
  return all
    .toSorted(([one], [other]) => one - other)
    .map(([, peg]) => peg)
    .join(' ');
});

describeFamily(cellRows, ({ rule, row, times }) => {
  // Computes all cells at once with the bits of a number. Each group of the rule contributes its cells.
  const width = BigInt(row.length);
  const all = (1n << width) - 1n;
  let bits = BigInt(`0b${row}`);
  for (let step = 0; step < times; step++) {
    const left = (bits >> 1n) | ((bits & 1n) << (width - 1n));
    const right = ((bits << 1n) & all) | (bits >> (width - 1n));
    let next = 0n;
    for (const [group, cell] of [...rule].entries()) {
      if (cell === '0') continue;
      next |= (group & 4 ? left : all ^ left) & (group & 2 ? bits : all ^ bits) & (group & 1 ? right : all ^ right);
    }
    bits = next;
  }
  return [...bits.toString(2).padStart(row.length, '0')].join(' ');
});
