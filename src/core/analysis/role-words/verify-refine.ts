/** @file Rules that recognize the roles `verify` and `refine` by the words of a subtask. */
import { anywhere, head, persona, type WordRule } from './rule';

/** Verify: examine earlier work and report findings. */
export const VERIFY_WORDS: readonly WordRule[] = [
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
  head(
    'verify',
    3,
    /^(?:run|execute|simulate)\b[^.]{0,40}\b(?:tests|test (?:suite|cases?)|code|program|query|cases)\b/i,
    { sees: 1 },
  ),
  head('verify', 1, /^(?:build|run|execute|mentally|substitute|plug)\b/i, { sees: 1 }),
  anywhere(
    'verify',
    1,
    /\b(?:(?:say|report|note|state|tell|list|judge|flag|mark|see|check|confirm|explain) (?:\w+ ){0,2}(?:whether|if|which|any|each|every)|point out|is (?:correct|right|wrong)|hold up|line by line|against the|confirm that|refute|counter-?example|referee|discrepanc|what is wrong|where it goes wrong|really|without (?:rewriting|changing))\b/i,
    { sees: 1 },
  ),

  anywhere(
    'verify',
    2,
    /\b(?:which|what|where|whether|note|mark|list|report|flag|say)\b[^.?]{0,40}\b(?:not|fails?|failing|wrong|mistaken|break down|breaks? (?:down)?|violat\w+|mismatch\w*|inconsisten\w+|missing)\b/i,
    { sees: 1 },
  ),
  // A question after another sentence or clause.
  anywhere(
    'verify',
    2,
    /[.:;!] (?:is|are|does|do|did|has|have|was|were|can|could|would|will|should)\b[^.?]{1,160}\?/i,
    { sees: 1 },
  ),

  persona(
    'verify',
    2,
    "critic|sceptic|skeptic|sceptical \\w+|skeptical \\w+|reviewer|referee|auditor|inspector|tester|examiner|checker|verifier|opponent|devil[’']s advocate",
    { sees: 1 },
  ),
];

/** Refine: improve earlier work. */
export const REFINE_WORDS: readonly WordRule[] = [
  head(
    'refine',
    3,
    /^(?:refine|mend|improve|correct|repair|revise|fix|polish|edit|rewrite|rework|amend|tighten|debug|enhance|strengthen|touch up|clean up|shorten|refactor|close the gaps?|patch|(?:copy|line)-?edit|trim)\b/i,
  ),
  head(
    'refine',
    2,
    /^(?:simplify|optimi[sz]e|update|adjust|replace|continue|complete|finish|extend|expand|incorporate|address|rephrase)\b/i,
    {
      sees: 1,
    },
  ),
  head(
    'refine',
    2,
    /^make (?:it|them|this|that|these|those|(?:all|each|both) |the \w+ (?:more|less|shorter|clearer|better))/i,
    {
      sees: 1,
    },
  ),
  head(
    'refine',
    2,
    /^apply\b[^.]{0,40}\b(?:corrections?|changes|fix(?:es)?|edits?|suggestions?|feedback|comments|patch)\b/i,
    {
      sees: 1,
    },
  ),
  // Requests to respond to objections from another step.
  head(
    'refine',
    3,
    /^(?:answer|address|meet|resolve|act on|deal with|respond to|take care of)\b[^.]{0,40}\b(?:objections?|critici[sz]ms?|concerns?|comments?|remarks?|feedback|issues|(?:points?|problems?) (?:raised|found|noted))\b/i,
    { sees: 1 },
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

  anywhere(
    'refine',
    3,
    /\b(?:using|considering|given|following|per|on the basis of|based on|in (?:the )?light of|incorporating) (?:this|that|these|those|their|its|all|any|every) (?:\w+ ){0,2}(?:feedback|review|critique|critici[sz]ms?|comments|objections|remarks|suggestions)\b/i,
    { sees: 1 },
  ),
  // Requests to return the work with corrections: "…, corrected if needed", "with fixes if the reviewer asked".
  anywhere(
    'refine',
    3,
    /[,;] (?:and )?(?:then )?(?:adjust|amend|correct|mend|fix|revis|repair|updat|modif|chang)(?:e|y|ed|ied|ing)?\b[^.]{0,20}\b(?:if|so that|where|when|as needed)\b|\bwith (?:\w+ ){0,2}(?:fixes|corrections|amendments|repairs)\b/i,
    { sees: 1 },
  ),
  anywhere('refine', 3, /\b(?:an?|the) (?:second|new|next|improved|revised|corrected) (?:version|draft)\b/i, {
    sees: 1,
  }),

  persona('refine', 2, 'editor|copy-?editor|proofreader', { sees: 1 }),
];
