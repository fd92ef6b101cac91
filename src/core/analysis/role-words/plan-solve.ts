/** @file Rules that recognize the roles `plan` and `solve` by the words of a subtask. */
import { anywhere, head, persona, type WordRule } from './rule';

/** Plan: choose an approach, or list parts or requirements, without solving the task yet. */
export const PLAN_WORDS: readonly WordRule[] = [
  head('plan', 3, /^(?:plan|outline|sketch|devise|strategi[sz]e|decompose|map out|lay out)\b/i),
  head('plan', 3, /^break (?:it|this|that|down|the|\w+ down)\b/i),
  head('plan', 3, /^(?:split|divide|structure|organi[sz]e|partition)\b[^.]{0,40}\binto\b/i),
  head('plan', 3, /^brainstorm\b[^.]{0,40}\b(?:approach|strateg|ways?\b|how\b|method|angle)/i),
  // Asks to decide on an approach, not on one of several answers.
  head(
    'plan',
    2,
    /^(?:decide|settle|agree)\b(?! on (?:the )?(?:one|right|best|final|answer))[^.]{0,12}\b(?:on|its|which|what|how|the)\b/i,
  ),
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
    /\b(?:(?:do not|don['’]t) (?:yet )?(?:solve|carry|attempt|answer|compute|write|give|resolve|produce)|without (?:yet )?(?:solving|resolving|answering|carrying|computing)|not solve it)\b/i,
  ),
  anywhere(
    'plan',
    3,
    /\bnot (?:a|an|the) (?:\w+ )?(?:solution|answer|code|text|draft|result)\b|\bno \w+(?: \w+)? yet\b|\b(?:come|comes|follow|follows|written) later\b/i,
  ),
  // Asks for a text that addresses later steps.
  anywhere(
    'plan',
    2,
    /\b(?:so that (?:the )?|tell |to )(?:next|other|each|every|following|later) (?:workers?|steps?|models?|agents?|experts?)\b|\bleave [^.]{0,40}\bto (?:the )?others\b/i,
  ),
  anywhere('plan', 2, /\b(?:strateg(?:y|ist)|pseudo-?code|high[- ]level|roadmap)\b/i),

  persona('plan', 2, 'planner|strategist'),
];

/** Solve: verbs that ask for work on the task itself. */
export const SOLVE_WORDS: readonly WordRule[] = [
  head(
    'solve',
    2,
    /^(?:solve|find|work|compute|calculate|derive|implement|write|draft|code|prove|count|translate|generate|explain|estimate|deduce|argue|resolve|develop|carry|execute|obtain|look up|search|sort|multiply|convert|fit|predict|extract|compile|formulate|build|create|evaluate|use|make|reach|put|answer|determine|model|propose|recall|compose|perform|produce|try|apply|complete)\b/i,
  ),
  // Asks to set up the problem and also to solve it.
  anywhere(
    'solve',
    2,
    /^(?:set up|identify|define|analy[sz]e)\b[^.]{0,80}\band (?:then )?(?:solve|compute|calculate|evaluate|derive|answer|prove)\b/i,
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
];
