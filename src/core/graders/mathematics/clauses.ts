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
  /[,;](?!\d)\s*|:\s+|\s[–—]\s|\s(?=(?:so|which|because|since|if|when|where|whereas|while|but|although|though|unless|given (?:that|the|his|her|their|a)|assuming|leaving|making|giving|meaning|rather than|instead of|compared|as opposed|in order to)\b)|(?<=\d%?(?:\s[a-z]{1,16}){0,4})\s(?=to (?!the\b|an?\b|his\b|her\b|their\b|each\b|every\b|(?:get|give|make|obtain|yield)\b(?! (?:his|her|their|the|an?(?! total| grand))\b))[a-z]{2})/gi;

/** The beginning of a clause that does not state the answer. */
const ASIDE =
  /^(?:and |but )?(?:if|when|whenever|because|since|as|given|assuming|supposing|where|while|whereas|although|though|unless|after|before|with|without|for|in|on|at|by|from|out of|among|during|per|instead|rather|compared|unlike|like|than|in order|to|not|each|every|including|excluding|counting|using|based|considering|who|whose|whom|of which|e\.g\.|just|even|despite|so that (?:he|she|it|they|each|every|all|there)|such that|up from|down from|only|well|still|more|less|fewer|twice|double|half|triple|\w+ times)\b/i;

const ALTERNATIVE =
  /^(?:or|i\.e\.|that is|namely|equivalently|approximately|about|roughly|around|nearly|almost)\b(?! (?:a|the) (?:grand )?total)/i;

/** A clause that derives a value: “which is 12”, “leaving 5”, “for a total of 12”, “so he has 5”. */
const RESULT =
  /^(?:and |but )?(?:which|that) (?:is|are|was|gives|yields|equals|means|implies|makes|leaves|comes|totals|amounts|results|adds|rounds|leads|simplifies|reduces|would be|will be)\b|^(?:so(?! that (?:he|she|it|they|each|every|all|there)\b)|leaving|making|giving|meaning|for an? (?:[a-z]{1,16} ){0,3}of|(?:or|with) an? (?:grand )?total|to (?:get|give|make) (?:a (?:grand )?total|us)|rounded (?:up|down)|rounding (?:up|down)|which rounds)/i;

const COMPARISON =
  /\b(?:more|less|fewer|\w{2,12}er|same|as (?:many|much|\w{2,12}))\b[^,;]{0,60}\b(?:than|as)\b|\b(?:times|half|twice|double|percent of|% of|enough|within|below|above|exceeds)\b/i;

/** The clauses of a sentence. Those in brackets belong to the clause around them. */
export function clausesOf(text: string): Clause[] {
  const starts = [0];
  const depths = depthsOf(text);
  for (const { index, 0: boundary } of text.matchAll(BOUNDARY)) {
    if (depths[index] === 0) starts.push(index + boundary.length);
  }
  return starts.map((start, index): Clause => {
    const end = starts[index + 1] ?? text.length;
    return { start, end, kind: kindOf(text.slice(start, end).trim(), index > 0) };
  });
}

function kindOf(clause: string, isContinued: boolean): ClauseKind {
  if (!isContinued) return SUBORDINATE.test(clause) ? 'aside' : 'main';
  if (RESULT.test(clause)) return COMPARISON.test(clause) && !/^so\b/i.test(clause) ? 'aside' : 'main';
  if (/^(?:or|to)\b.*=/i.test(clause)) return 'main';
  if (ALTERNATIVE.test(clause)) return 'alternative';
  const compares = /^which\b|^\$?\d[^,;]{0,40}\bthan\b/i.test(clause) && !clause.includes('=');
  return ASIDE.test(clause) || compares ? 'aside' : 'main';
}

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
