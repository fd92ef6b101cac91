/** @file Rules that recognize the roles `aggregate` and `decide` by the words of a subtask. */
import { anywhere, head, persona, type WordRule } from './rule';

/** Nouns that can follow a verb of aggregation. */
const THINGS =
  '(?:results?|answers?|responses?|solutions?|attempts?|proposals?|drafts?|versions?|parts?|pieces?|analys[ei]s|opinions?|findings|insights?|views?|estimates?|outputs?|contributions?)';

/** Aggregate: combine several results into one result. */
export const AGGREGATE_WORDS: readonly WordRule[] = [
  head(
    'aggregate',
    3,
    /^(?:aggregate|merge|synthesi[sz]e|reconcile|consolidate|fuse|unify|blend|weave|integrate|assemble|collate|stitch)\b/i,
    {
      sees: 2,
    },
  ),
  head('aggregate', 3, /^(?:bring|put|pull|draw)\b[^.]{0,80}\btogether\b/i, { sees: 2 }),
  head(
    'aggregate',
    4,
    new RegExp(`^(?:combine|unite|join|pool|average|compile|collect)\\b[^.]{0,40}\\b${THINGS}\\b`, 'i'),
  ),
  anywhere(
    'aggregate',
    3,
    /\b(?:synthesi[sz]e|merge|combine|reconcile|integrate|consolidate)\b[^.]{0,60}\b(?:responses|answers|solutions|results|derivations|analyses|opinions|drafts|into (?:one|a single|a coherent|an?))\b/i,
    {
      sees: 2,
    },
  ),
  anywhere('aggregate', 1, /\binto (?:one|a single|a coherent|a unified|a comprehensive)\b/i, { sees: 2 }),

  // Phrases about parts of several results: "where they agree, keep it", "something of all three".
  anywhere(
    'aggregate',
    3,
    /\bwhere(?:ver)? (?:they|the \w+|both|all)\b[^.,;]{0,12}\b(?:agree|differ|disagree|conflict|diverge)\b/i,
    {
      sees: 2,
    },
  ),
  anywhere(
    'aggregate',
    2,
    /\b(?:something|elements?|the best|the strengths?|parts?) (?:of|from) (?:both|all|each|every|the two|the three)\b/i,
    {
      sees: 2,
    },
  ),
];

/** Decide: choose one result, or state the final answer. */
export const DECIDE_WORDS: readonly WordRule[] = [
  head(
    'decide',
    3,
    /^(?:decide|choose|pick(?! out)|select|settle|conclude|finali[sz]e|vote|adjudicate|render|arbitrate|rule)\b/i,
  ),
  head(
    'decide',
    3,
    /^(?:(?:give|state|provide|return|report|output|present|write|name|submit)\b[^.]{0,24}\b)?final (?:answer|result|verdict|choice|number|letter)\b/i,
  ),
  head('decide', 2, /^give the (?:one|final|right|best|correct)\b/i),
  head('decide', 2, /^(?:which|who) (?:of|one)\b/i, { sees: 1 }),
  head(
    'decide',
    3,
    /^(?:say|tell|declare|state|determine|name|announce|judge)\b[^.]{0,20}\b(?:which|who|whose)\b[^.]{0,40}\b(?:better|best|stronger|strongest|right|wins?|won|prevails?|winner)\b/i,
    { sees: 2 },
  ),
  head(
    'decide',
    3,
    /^(?:determine|identify|work out|find|name|say)\b[^.]{0,12}\b(?:right|correct|best|better|strongest) (?:option|answer|choice|one|letter)\b/i,
    {
      sees: 2,
    },
  ),
  anywhere(
    'decide',
    3,
    /\b(?:commit|come down|settle|agree|opt) (?:to|on|for) (?:one|a single|the (?:better|best|most|strongest))\b/i,
    {
      sees: 1,
    },
  ),
  head('decide', 3, /^(?:take|use|apply|hold|go with)\b[^.]{0,20}\b(?:majority|vote|consensus)\b/i),
  head(
    'decide',
    2,
    /^(?:state|report|output|return|provide|present|name|give|answer|tell|write down|reply|respond|deliver|print|submit|say)\b/i,
    { sees: 1, last: true },
  ),
  anywhere(
    'decide',
    2,
    /\b(?:final answer|final result|as the answer|nothing else|answer only|majority vote|return that one|the better one|\\boxed|answer with its|one letter|the best (?:one|answer|option)|which one is (?:right|correct))/i,
    { sees: 1 },
  ),
  persona('decide', 2, 'judge|moderator|arbiter|jury|umpire', { sees: 1 }),
];
