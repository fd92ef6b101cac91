/**
 * @file Reads a simulated worker's assignment from its messages, in the format of `worker-prompt.ts`. The worker has no
 * other information.
 */
import { recognizeRole } from '../analysis/roles';
import { VERDICT_REQUEST, type Message, type Role } from '../contract';
import { withoutContext } from '../contract/run/bare-question';

/** An earlier step that the worker sees. `number` is 1-based, as in the prompt. */
export interface EarlierStep {
  readonly number: number;
  readonly role: Role;
  readonly subtask: string;
  readonly response: string;
}

/** The assignment of a worker. */
export interface Assignment {
  readonly task: string;
  readonly earlier: readonly EarlierStep[];
  readonly subtask: string;
  readonly role: Role;
  /** Whether the subtask asks for a verdict on each answer. Absent: no. */
  readonly asksVerdict?: boolean;
}

/**
 * Reads the assignment from the user messages. A text in any other format is used as both the task and the subtask. Never
 * throws.
 */
export function readAssignment(messages: readonly Message[]): Assignment {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => message.content)
    .join('\n');
  const task = between(text, '<overall-task>\n', '\n</overall-task>', 0);
  const ownAt = text.lastIndexOf('<subtask>\n');
  const subtask = ownAt < 0 ? null : between(text, '<subtask>\n', '\n</subtask>', ownAt);
  if (!task || !subtask) return { task: text, earlier: [], subtask: text, role: recognizeRole(text) };
  const earlier = readEarlier(text.slice(task.end, ownAt));
  // Removes the context of a follow-up question, because a simulated worker can parse only the puzzle itself.
  const end = subtask.inner.lastIndexOf(VERDICT_REQUEST);
  const own = end < 0 ? subtask.inner : subtask.inner.slice(0, end);
  const asks = end < 0 ? {} : { asksVerdict: true };
  return { task: withoutContext(task.inner), earlier, subtask: own, role: recognizeRole(own), ...asks };
}

/** Reads the earlier steps from a prompt. A response may quote another prompt, so tags inside a step do not start a new step. */
function readEarlier(text: string): EarlierStep[] {
  const steps: EarlierStep[] = [];
  let read = 0;
  for (const opening of text.matchAll(/<earlier-subtask ((?:round="\d{1,3}" )?number="(\d{1,3})")>\n/g)) {
    if (opening.index < read) continue;
    const subtask = between(text, opening[0], '\n</earlier-subtask>', opening.index);
    if (!subtask) break;
    read = subtask.end;
    const [, tag = '', number = ''] = opening;
    const responseOpening = `\n<response ${tag}>\n`;
    if (!text.startsWith(responseOpening, read)) continue;
    const response = between(text, responseOpening, '\n</response>', read);
    if (!response) break;
    read = response.end;
    const role = recognizeRole(subtask.inner);
    steps.push({ number: Number(number), role, subtask: subtask.inner, response: response.inner });
  }
  return steps;
}

function between(text: string, opening: string, closing: string, from: number) {
  const start = text.indexOf(opening, from);
  const end = start < 0 ? -1 : text.indexOf(closing, start + opening.length - 1);
  return end < 0 ? null : { inner: text.slice(start + opening.length, end), end: end + closing.length };
}
