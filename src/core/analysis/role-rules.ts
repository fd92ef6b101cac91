/**
 * @file The written rules by which a step's role is told from its wording and its place. Data only; `roles.ts` adds them up.
 *
 * A rule that holds gives its weight to its role, and the role with the most wins; where none gains anything the step solves.
 * - 3: a verb that means one role whatever stands around it ("verify", "merge").
 * - 2: a verb that nearly always means it, or a turn of phrase.
 * - 1: a hint, which tells only where nothing else does.
 * Weights below 0 speak against a role.
 */
import type { Role } from '../contract';

export interface WordRule {
  readonly role: Role;
  readonly weight: number;
  /** `head`: the verb phrase that the subtask opens with, lead-ins taken away. `anywhere`: the whole text. */
  readonly where: 'head' | 'anywhere';
  readonly words: RegExp;
  /** Holds only where the step sees at least this many earlier ones, if that is known. */
  readonly sees?: number;
  /** Holds only for a workflow's last step, if that is known. */
  readonly last?: true;
}

/** How far the head of a subtask is looked for words that go with its verb. */
const THINGS =
  '(?:results?|answers?|responses?|solutions?|attempts?|proposals?|drafts?|versions?|parts?|pieces?|analys[ei]s|opinions?|findings|insights?|views?|estimates?|outputs?|contributions?)';

const head = (role: Role, weight: number, words: RegExp, more: Pick<WordRule, 'sees' | 'last'> = {}): WordRule => ({
  role,
  weight,
  where: 'head',
  words,
  ...more,
});
const anywhere = (role: Role, weight: number, words: RegExp, more: Pick<WordRule, 'sees' | 'last'> = {}): WordRule => ({
  role,
  weight,
  where: 'anywhere',
  words,
  ...more,
});

export const WORD_RULES: readonly WordRule[] = [
  // Plan: ways, parts, requirements; and the plain word that nothing is to be solved yet.
  head('plan', 3, /^(?:plan|outline|sketch|devise|strategi[sz]e|brainstorm|decompose|map out|lay out)\b/i),
  head('plan', 3, /^break (?:it|this|that|down|the|\w+ down)\b/i),
  head('plan', 3, /^(?:describe|suggest|explain|say|think about|consider) (?:how|which way|a way|ways)\b/i),
  head(
    'plan',
    3,
    /^(?:propose|suggest|create|develop|design|formulate|give|provide|draw up|make|write|describe)\b[^.:;]{0,30}\b(?:plan|strategy|roadmap|outline|approach|guidance|framework|design|structure|checklist)\b/i,
  ),
  head(
    'plan',
    2,
    /^(?:analy[sz]e|understand|restate|clarify|formali[sz]e|parse|study|summari[sz]e)\b[^.]{0,40}\b(?:problem|task|question|requirements?|constraints?|goals?|puzzle|prompt|request)\b/i,
  ),
  head(
    'plan',
    2,
    /^(?:identify|figure out|determine|list|note|enumerate|name|decide)\b[^.]{0,12}\b(?:what|which|how)\b/i,
  ),
  head(
    'plan',
    2,
    /^(?:identify|list|enumerate|note|decide on|define|choose)\b[^.]{0,50}\b(?:steps?|parts?|structure|approach(?:es)?|issues?|unknowns?|assumptions?|cases to|considered|needed|required|relevant|must be|criteria|method|considerations|sub-?problems|sub-?tasks)\b/i,
  ),
  head('plan', 2, /^(?:which|what)\b[^.?]{0,60}\b(?:relevant|needed|required|apply|applies|approach|principles)\b/i),
  head('plan', 2, /^think (?:carefully |hard )?(?:about|through)\b/i),
  head('plan', 1, /^(?:set up|identify|clarify|restate|define)\b/i),
  anywhere(
    'plan',
    3,
    /\b(?:(?:do not|don['’]t) (?:yet )?(?:solve|carry|attempt|answer|compute|write|give|resolve|produce)|without (?:yet )?(?:solving|resolving|answering|carrying|computing)|no (?:prose|code|solution|answer) yet|not solve it)\b/i,
  ),
  anywhere('plan', 2, /\b(?:strateg(?:y|ist)|pseudo-?code|high[- ]level|roadmap)\b/i),

  // Solve: the verbs of work.
  head(
    'solve',
    2,
    /^(?:solve|find|work|compute|calculate|derive|implement|write|draft|code|prove|count|translate|generate|explain|estimate|deduce|argue|resolve|develop|carry|execute|obtain|look up|search|sort|multiply|convert|fit|predict|extract|compile|formulate|build|create|evaluate|use|make|reach|put|answer|determine|model|propose|recall|compose|perform|produce|try|apply|complete)\b/i,
  ),
  anywhere(
    'solve',
    1,
    /\b(?:independently|from scratch|step by step|show (?:your|the|every)|another way|give your best answer)\b/i,
  ),
  anywhere(
    'solve',
    1,
    /\b(?:following|along|using|with|from|on) (?:the|that|this) (?:\w+ )?(?:plan|outline|strategy|roadmap|structure|route|approach|sketch|guidance)\b/i,
  ),

  // Verify: looks at what is there and says what it finds.
  head(
    'verify',
    3,
    /^(?:verify|check|(?:double|cross|sanity|fact|re)-?check|review|validate|audit|inspect|scrutini[sz]e|critique|criticize|proofread|peer-review|confirm|vet)\b/i,
  ),
  head(
    'verify',
    3,
    /^(?:make sure|ensure|see (?:whether|if)|find out (?:whether|if)|judge (?:whether|if)|try to (?:refute|falsify|break))\b/i,
  ),
  head(
    'verify',
    2,
    /^(?:test|examine|judge|assess|evaluate|challenge|compare|contrast|grade|rate|critically|comment|flag|spot|point out)\b/i,
    {
      sees: 1,
    },
  ),
  head(
    'verify',
    3,
    /^(?:find|look for|search for|identify|list|detect|locate|report|mark|point out)\b[^.]{0,30}\b(?:errors?|mistakes?|flaws?|bugs?|gaps?|weakness(?:es)?|problems with|inconsistenc(?:y|ies)|slips?|issues in|counter-?examples?|race conditions)\b/i,
  ),
  head(
    'verify',
    3,
    /^(?:re-?(?:derive|compute|calculate|do|run|work|count)|recalculate|go (?:through|over)|look over|step through|trace)\b/i,
    {
      sees: 1,
    },
  ),
  head('verify', 2, /^(?:is|are|does|do|did|has|have|was|were|can|could|would|should)\b[^.]{0,160}\?/i, { sees: 1 }),
  head('verify', 3, /^(?:give|provide|offer|write)\b[^.]{0,24}\b(?:feedback|critique|review|comments)\b/i, { sees: 1 }),
  head('verify', 3, /^(?:run|execute|simulate)\b[^.]{0,40}\b(?:tests?|code|program|query|cases)\b/i, { sees: 1 }),
  head('verify', 1, /^(?:build|run|execute|mentally|substitute|plug)\b/i, { sees: 1 }),
  anywhere(
    'verify',
    1,
    /\b(?:(?:say|report|note|state|tell|list|judge|flag|mark|see|check|confirm|explain) (?:\w+ ){0,2}(?:whether|if|which|any|each|every)|point out|is (?:correct|right|wrong)|hold up|line by line|against the|confirm that|refute|counter-?example|referee|discrepanc|what is wrong|where it goes wrong|really|without (?:rewriting|changing))\b/i,
    { sees: 1 },
  ),

  // Refine: something that is there becomes better.
  head(
    'refine',
    3,
    /^(?:refine|mend|improve|correct|repair|revise|fix|polish|edit|rewrite|rework|amend|tighten|debug|enhance|strengthen|touch up|clean up|shorten|refactor|close the gaps?|patch)\b/i,
  ),
  head(
    'refine',
    2,
    /^(?:simplify|optimi[sz]e|update|adjust|replace|continue|complete|finish|extend|expand|incorporate|address|apply|rephrase|make)\b/i,
    {
      sees: 1,
    },
  ),
  head('refine', 3, /^(?:go on|continue|carry on) from\b/i, { sees: 1 }),
  head(
    'refine',
    3,
    /^(?:produce|write|give|return|present|output|provide|create|prepare|deliver|submit)\b[^.]{0,24}\b(?:corrected|improved|revised|amended|refined|polished|better|updated|fixed|cleaner)\b/i,
  ),
  anywhere(
    'refine',
    3,
    /\b(?:(?:last|final) (?:polish|touch)|fix (?:what|any|all|it|the|every)|correct (?:it|any|them|the errors)|(?:give|write|return|output|produce) (?:\w+ ){0,2}(?:corrected|improved|revised|amended)|using the (?:feedback|review|critique)|with (?:\w+ ){0,3}feedback|addressing (?:all |each |every )?(?:the )?(?:issues|points|feedback|comments)|has an? (?:\w+ )?(?:error|mistake|bug))\b/i,
  ),

  // Aggregate: several become one.
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

  // Decide: one of them, or the answer in its final form.
  head(
    'decide',
    3,
    /^(?:decide|choose|pick|select|settle|conclude|finali[sz]e|vote|adjudicate|render|arbitrate|rule)\b/i,
  ),
  head(
    'decide',
    3,
    /^(?:(?:give|state|provide|return|report|output|present|write|name|submit)\b[^.]{0,24}\b)?final (?:answer|result|verdict|choice|number|letter)\b/i,
  ),
  head('decide', 2, /^give the (?:one|final|right|best|correct)\b/i),
  head('decide', 2, /^(?:which|who) (?:of|one)\b/i, { sees: 1 }),
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
];

/** How a step's place speaks for or against a role, whatever it says. */
export interface PlaceRule {
  readonly role: Role;
  readonly weight: number;
  readonly when: 'sees-nothing' | 'sees-one' | 'sees-something' | 'first' | 'last' | 'last-of-several';
}

export const PLACE_RULES: readonly PlaceRule[] = [
  // Nothing to look at: a clear verb may still mean it, a hint does not.
  { role: 'verify', weight: -2, when: 'sees-nothing' },
  { role: 'refine', weight: -2, when: 'sees-nothing' },
  { role: 'aggregate', weight: -2, when: 'sees-nothing' },
  { role: 'decide', weight: -2, when: 'sees-nothing' },
  { role: 'aggregate', weight: -1.5, when: 'sees-one' },
  // A plan comes before what it plans.
  { role: 'plan', weight: -1.5, when: 'sees-something' },
  { role: 'plan', weight: -3, when: 'last' },
  { role: 'plan', weight: 0.5, when: 'first' },
  // Whoever speaks last speaks for all.
  { role: 'decide', weight: 0.5, when: 'last-of-several' },
  { role: 'solve', weight: -0.5, when: 'last-of-several' },
];
