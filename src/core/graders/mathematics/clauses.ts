/** @file Splits a sentence into clauses, and finds out which of them can state the answer. */

/**
 * What a clause does: a `main` clause can state the answer. An `alternative` states it again in another form, as in “or about 19”.
 * An `aside` explains or compares, as in “because she has 4 cats” and “which is 2 more than Al has”.
 */
export type ClauseKind = 'main' | 'alternative' | 'aside';

export interface Clause {
  readonly start: number;
  readonly end: number;
  readonly kind: ClauseKind;
}

/** Where a clause begins: after a comma, a semicolon, a colon or a dash, before a conjunction, and before a purpose. */
const BOUNDARY =
  /[,;](?!\d)\s*|:\s+|\s[–—]\s|\s(?=(?:so|which|because|since|if|when|where|whereas|while|but|although|though|unless|given (?:that|the|his|her|their|a)|assuming|leaving|making|giving|meaning|rather than|instead of|compared|as opposed|in order to)\b)|(?<=\d%?(?:\s[a-z]{1,16}){0,4})\s(?=to (?!the\b|an?\b|his\b|her\b|their\b|each\b|every\b)[a-z]{2})/gi;

/** The beginning of a clause that does not state the answer. */
const ASIDE =
  /^(?:and |but )?(?:if|when|whenever|because|since|as|given|assuming|supposing|where|while|whereas|although|though|unless|after|before|with|without|for|in|on|at|by|from|out of|among|during|per|instead|rather|compared|unlike|like|than|in order|to|not|each|every|including|excluding|counting|using|based|considering|who|whose|whom|of which|e\.g\.|just|even|despite|so that(?!['’]s|(?: is| makes| gives| means| leaves)\b)|such that|up from|down from|only|well|still|more|less|fewer|twice|double|half|triple|\w{2,12} times|(?!leaving|making|giving|bringing|total|result|meaning|yielding|earning|adding|saving)[a-z]{2,12}ing\b(?!.*\b(?:takes?|costs?|requires?|gives?|leaves?|is|are|was|will|would)))\b/i;

const ALTERNATIVE =
  /^(?:i\.e\.|(?:or|that is|namely|equivalently|approximately|about|roughly|around|nearly|almost)\b(?! (?:a|the) (?:grand )?total))/i;

/** A clause that derives a value: “which is 12”, “leaving 5”, “for a total of 12”, “so he has 5”. */
const RESULT =
  /^(?:and |but )?(?:which|that) (?:is|are|was|gives|yields|equals|means|implies|makes|leaves|comes|totals|amounts|results|adds|rounds|leads|simplifies|reduces|would be|will be)\b|^(?:so(?! that(?!['’]s|(?: is| makes| gives| means| leaves)\b))|leaving|making|giving|meaning|for an? (?:[a-z]{1,16} ){0,3}of|(?:or|with) an? (?:grand )?total|to (?:get|give|make) (?:a (?:grand )?total|us)|rounded (?:up|down)|rounding (?:up|down)|which rounds)/i;

const COMPARISON =
  /\b(?:more|less|fewer|\w{2,12}er|same|as (?:many|much|\w{2,12}))\b[^,;]{0,60}\b(?:than|as)\b|\b(?:times|half|twice|double|percent of|% of|enough|within|below|above|exceeds)\b/i;

/** The clauses of a sentence. Those in brackets belong to the clause around them. */
export function clausesOf(text: string): Clause[] {
  const bounds = [{ start: 0, mark: '' }];
  const depths = depthsOf(text);
  for (const { index, 0: mark } of text.matchAll(BOUNDARY)) {
    if (depths[index] === 0) bounds.push({ start: index + mark.length, mark: mark.trim() });
  }
  let isExplained = false;
  return bounds.map(({ start, mark }, index): Clause => {
    const end = bounds[index + 1]?.start ?? text.length;
    const before = text.slice(Math.max(0, start - 120), start);
    const clause = text.slice(start, end).trim();
    if (index === 0) return { start, end, kind: SUBORDINATE.test(clause) ? 'aside' : 'main' };
    isExplained = mark === ':' ? STATED.test(before) : isExplained && mark === ',';
    return { start, end, kind: isExplained ? 'aside' : kindOf(clause, before, mark) };
  });
}

/** @param before the text before the clause. @param mark the punctuation mark before it, or `''` */
function kindOf(clause: string, before: string, mark: string): ClauseKind {
  if (
    /^(?:and |but )?which (?:is|are|would be) (?:about|approximately|roughly|around|nearly|equivalent)\b/i.test(clause)
  )
    return 'alternative';
  if (/^to (?:get|give|make|obtain|yield)\b/i.test(clause)) return PURPOSE.test(before) ? 'aside' : 'main';
  if (RESULT.test(clause)) return COMPARISON.test(clause) && !/^so\b/i.test(clause) ? 'aside' : 'main';
  if (/^(?:or|to)\b.*=/i.test(clause)) return 'main';
  if (ALTERNATIVE.test(clause)) return 'alternative';
  if (mark === ';' && !/=|^(?:so|therefore|thus|hence|then|that|this)\b/i.test(clause)) return 'aside';
  const compares =
    /^which\b|^\$?\d[^,;]{0,40}\bthan\b|^\d+ of (?:whom|which|them|the)\b/i.test(clause) && !clause.includes('=');
  return ASIDE.test(clause) || compares ? 'aside' : 'main';
}

/** A need, after which “to make 4 cakes” is a purpose, and not a result as in “add 1 and 3 to make 4”. */
const PURPOSE =
  /\b(?:needs?|needed|requires?|required|must|should|uses?|used|takes?|took|buys?|bought|orders?|more|set)\b/i;
/** A value before a colon. What follows the colon explains it, as in “is 8: 3 quarters and 5 dimes”. */
const STATED =
  /(?:\b(?:is|are|was|needs?|makes?|gets?|equals)|=)\s[^,;:\d]{0,12}\d[\d.,]*%?(?:\s[a-z]{1,16}){0,2}:\s*$/i;

/** The beginning of a sentence whose first clause only gives the circumstances. */
const SUBORDINATE = /^(?:if|when|because|since|as|given|assuming|while|although|though|to)\b/i;

/** For each index, the number of brackets around it. A bracket that is never closed doesn't count. */
export function depthsOf(text: string): readonly number[] {
  const change = new Array<number>(text.length).fill(0);
  const open: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '(' || character === '[') open.push(index);
    else if (character === ')' || character === ']') {
      const start = open.pop();
      if (start === undefined) continue;
      change[start] = (change[start] ?? 0) + 1;
      change[index] = (change[index] ?? 0) - 1;
    }
  }
  let depth = 0;
  return change.map((by) => (depth += by));
}
