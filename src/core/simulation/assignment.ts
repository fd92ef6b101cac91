/**
 * @file What a simulated worker knows: the messages it was sent, read as `worker-prompt.ts` words them, and nothing else.
 */
import { ROLES, type Message, type Role } from '../contract';

/** An earlier step in view. `number` is 1-based, as it is told. */
export interface EarlierStep {
  readonly number: number;
  readonly role: Role;
  readonly subtask: string;
  readonly response: string;
}

/** What is asked of a worker. */
export interface Assignment {
  readonly task: string;
  readonly earlier: readonly EarlierStep[];
  readonly subtask: string;
  readonly role: Role;
}

/** Messages of any other form count as a task that is its own subtask. Never throws; linear. */
export function readAssignment(messages: readonly Message[]): Assignment {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => message.content)
    .join('\n');
  const task = between(text, '<overall-task>\n', '\n</overall-task>', 0);
  const ownAt = text.lastIndexOf('<subtask>\n');
  const subtask = ownAt < 0 ? null : between(text, '<subtask>\n', '\n</subtask>', ownAt);
  if (!task || !subtask) return { task: text, earlier: [], subtask: text, role: recogniseRole(text) };
  const earlier = readEarlier(text.slice(task.end, ownAt));
  return { task: task.inner, earlier, subtask: subtask.inner, role: recogniseRole(subtask.inner) };
}

/** What stands inside a step that has been read, such as a response that quotes another prompt, is no step of its own. */
function readEarlier(text: string): EarlierStep[] {
  const steps: EarlierStep[] = [];
  let read = 0;
  for (const opening of text.matchAll(/<earlier-subtask number="(\d{1,3})">\n/g)) {
    if (opening.index < read) continue;
    const subtask = between(text, opening[0], '\n</earlier-subtask>', opening.index);
    if (!subtask) break;
    read = subtask.end;
    const number = opening[1] ?? '';
    const responseOpening = `\n<response number="${number}">\n`;
    if (!text.startsWith(responseOpening, read)) continue;
    const response = between(text, responseOpening, '\n</response>', read);
    if (!response) break;
    read = response.end;
    const role = recogniseRole(subtask.inner);
    steps.push({ number: Number(number), role, subtask: subtask.inner, response: response.inner });
  }
  return steps;
}

function between(text: string, opening: string, closing: string, from: number) {
  const start = text.indexOf(opening, from);
  const end = start < 0 ? -1 : text.indexOf(closing, start + opening.length - 1);
  return end < 0 ? null : { inner: text.slice(start + opening.length, end), end: end + closing.length };
}

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
