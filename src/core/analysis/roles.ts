/**
 * @file What a step is for, read from its wording. The one place that maps words to roles.
 */
import { ROLES, type Role, type Step } from '../contract';

/** Verbs that open a subtask, by role. The one that stands first in the text decides. */
const OPENINGS: Readonly<Record<Role, RegExp>> = {
  plan: /\b(?:plan|outline|sketch|devise|strateg(?:y|ies)|suggest how|describe how|break (?:it|the task|this) down)\b/i,
  solve: /\b(?:solve|find|work out|compute|calculate|answer|determine|use|make|reach|put|sort)\b/i,
  verify: /\b(?:verify|check|test|audit|examine|inspect|judge whether|find (?:the |any )?(?:errors?|mistakes?))\b/i,
  refine: /\b(?:refine|mend|improve|correct|repair|revise|fix|go on from|continue from|rework)\b/i,
  aggregate:
    /\b(?:aggregate|merge|synthesi[sz]e|(?:combine|unite|join) (?:\w+ ){0,2}(?:results?|answers?|responses?|solutions?|attempts?))\b/i,
  decide: /\b(?:decide|choose|pick|select|settle on|give the (?:one|final|right|best)|final answer|conclude)\b/i,
};
const WANTS_RESULT =
  /\b(?:give|return|state|end with|write|output|report|provide)\b[^.]{0,60}\b(?:answer|result|solution|one)\b/i;
/** A subtask longer than this is read to here. Characters. */
const SUBTASK_LIMIT = 4_000;

/** What a subtask asks for, by its wording. A check that is also to give a result is a decision, or a repair. */
export function recogniseRole(subtask: string): Role {
  const text = subtask.slice(0, SUBTASK_LIMIT);
  let role: Role = 'solve';
  let first = Infinity;
  for (const each of ROLES) {
    const at = text.search(OPENINGS[each]);
    // "Find the errors" opens with a verb of two roles; the later one in the order of roles is the more telling.
    if (at >= 0 && at <= first) [role, first] = [each, at];
  }
  if (role !== 'verify' || !WANTS_RESULT.test(text)) return role;
  return OPENINGS.refine.test(text) ? 'refine' : 'decide';
}

/** What a step is for: as its Conductor said, else as its subtask reads. */
export function roleOf(step: Step): Role {
  return step.role ?? recogniseRole(step.subtask);
}
