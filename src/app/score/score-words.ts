/** @file Words for the steps, plans and rounds of a score: labels, states and accessible names. */
import { seenByStep } from '../../core/analysis/seen-by-step';
import { ROLES, type Fault, type FaultCode, type RoundOutcome, type Step } from '../../core/contract';
import { duration, listed, plural } from '../ui/figures';
import type { Part, PartState, PartWait, Planning, RoundSpan } from './parts';

/** "Solve", or the first words of the subtask if the step has no role. */
export function roleLabel(step: Pick<Step, 'role' | 'subtask'>): string {
  if (step.role && ROLES.includes(step.role)) return step.role.charAt(0).toUpperCase() + step.role.slice(1);
  return firstWords(step.subtask, 3, 24) || 'Step';
}

/** Maximum number of UTF-16 units that `firstWords` searches. */
const LONGEST_BEGINNING = 1_000;

/** The first `words` words of a text, cut to about `letters` characters, with an ellipsis if something is left out. */
export function firstWords(text: string, words: number, letters: number): string {
  // Only the beginning is searched, because the text may be megabytes long.
  const all = text.trimStart().slice(0, LONGEST_BEGINNING).trimEnd().split(/\s+/);
  let short = all.slice(0, words).join(' ');
  const cut = short.length > letters;
  if (cut) short = short.slice(0, letters - 1).trimEnd();
  const bare = short.replace(/(?<![.,:;–-])[.,:;–-]+$/, '');
  return cut || all.length > words ? `${bare}…` : bare;
}

const STATE_WORDS: Record<PartState, string> = {
  planned: 'planned',
  waiting: 'waiting',
  started: 'called',
  streaming: 'streaming',
  retrying: 'retrying',
  finished: 'finished',
  settled: 'settled',
  reused: 'reused',
  'handed-over': 'handed to the next round',
  failed: 'failed',
  stopped: 'stopped',
  interrupted: 'interrupted',
  discarded: 'discarded',
  'not-run': 'not run',
  later: 'later',
};

function stateWord(state: PartState): string {
  return STATE_WORDS[state];
}

const FAULT_WORDS: Record<FaultCode, string> = {
  'empty-question': 'no question',
  'no-workers': 'no workers',
  'worker-missing': 'worker missing',
  'plan-invalid': 'invalid plan',
  'plan-failed': 'no plan',
  offline: 'offline',
  unreachable: 'unreachable',
  'bad-address': 'bad address',
  unauthorized: 'key refused',
  'payment-required': 'no credit',
  forbidden: 'not allowed',
  'not-found': 'not found',
  'bad-request': 'refused',
  'too-large': 'too long',
  'rate-limited': 'too many calls',
  'quota-spent': 'quota spent',
  overloaded: 'overloaded',
  'server-error': 'server failed',
  timeout: 'timed out',
  stalled: 'stalled',
  'cut-off': 'cut off',
  'broken-reply': 'broken reply',
  'empty-reply': 'empty reply',
  'content-filtered': 'filtered',
  'question-unreadable': 'can’t read it',
  'cap-reached': 'limit reached',
  'price-unknown': 'price unknown',
  'storage-full': 'disk full',
  'storage-failed': 'not stored',
  interrupted: 'interrupted',
  'run-missing': 'not found',
  'run-busy': 'busy elsewhere',
  'nothing-to-resume': 'nothing left',
  'nothing-to-grade': 'no answer',
  'not-gradable': 'not gradable',
  internal: 'failed',
};

/** A fault in one to three words, where there is no space for its message. */
export function faultWord(fault: Fault): string {
  return FAULT_WORDS[fault.code];
}

const WAIT_WORDS: Record<PartWait['for'], string> = {
  limit: 'rate limit',
  place: 'other calls',
  money: 'daily budget',
  retry: 'retry',
};

/** "waiting, rate limit 8.0 s". */
function waitDetail(wait: PartWait | null): string {
  if (!wait) return 'waiting';
  return `waiting, ${WAIT_WORDS[wait.for]}${wait.left === null ? '' : ` ${duration(wait.left)}`}`;
}

/** The small text after the label of a step. */
export function detailOf(part: Part, isRun: boolean): string {
  const last = part.attempts.at(-1);
  switch (part.state) {
    case 'planned':
      if (isRun) return 'planned';
      return part.step.role ? firstWords(part.step.subtask, 6, 40) : '';
    case 'finished': {
      const planMs = duration((part.end ?? 0) - (part.begin ?? 0));
      return part.failures.length > 0 ? `${planMs}, on try ${part.failures.length + 1}` : planMs;
    }
    case 'retrying': {
      const left = part.wait?.left ?? null;
      const words = left === null ? 'retrying' : `retry in ${duration(left)}`;
      return last?.fault ? `${faultWord(last.fault)}, ${words}` : words;
    }
    case 'failed':
      return last?.fault ? faultWord(last.fault) : 'failed';
    case 'handed-over':
      return 'next round';
    case 'started':
    case 'streaming': {
      // A replay knows when the attempt will end, so the detail is "2.1 of 5.0 s". A live run doesn't know this
      // yet.
      if (!last || last.endedAt === null || part.begin === null || part.end === null) return stateWord(part.state);
      return `${((part.end - part.begin) / 1000).toFixed(1)} of ${duration(last.endedAt - part.begin)}`;
    }
    case 'waiting':
      return waitDetail(part.wait);
    case 'settled':
    case 'reused':
    case 'stopped':
    case 'interrupted':
    case 'discarded':
    case 'not-run':
    case 'later':
      return stateWord(part.state);
    default:
      return part.state satisfies never;
  }
}

/** "Step 3, Verify, Cedar, finished, sees 1 and 2". */
export function nameOf(part: Part): string {
  const seen = seenByStep(part.step, part.number - part.place.step);
  const words = [`Step ${part.number}`, roleLabel(part.step), part.worker?.name ?? 'no worker', stateWord(part.state)];
  if (seen.length > 0) words.push(`sees ${listed(seen)}`);
  const failed = part.failures.length;
  if (failed > 0) words.push(plural(failed, 'failed try', 'failed tries'));
  const waited = part.pauses.reduce((sum, { from, to }) => sum + to - from, 0);
  const reasons = new Set(part.pauses.flatMap((pause) => (pause.for === null ? [] : [WAIT_WORDS[pause.for]])));
  // While the step waits, the waiting time changes constantly, so the name omits it.
  const isOver = part.state !== 'waiting' && part.state !== 'retrying';
  if (waited > 0 && isOver)
    words.push(`waited ${duration(waited)}${reasons.size > 0 ? ` (${listed([...reasons])})` : ''}`);
  return words.join(', ');
}

const OUTCOME_WORDS: Record<RoundOutcome, string> = {
  answered: 'answered',
  recursed: 'handed over',
  kept: 'answer kept',
  failed: 'failed',
};

/** The label of a round, "Round 1", and its full name with the number of steps, the duration and the outcome. */
export function roundWords({ round, begin, end, steps, outcome }: RoundSpan): { label: string; name: string } {
  const facts = [plural(steps, 'step'), duration(end - begin)];
  const name = [`Round ${round + 1}`, ...facts, outcome ? OUTCOME_WORDS[outcome] : 'running'].join(', ');
  return { label: `Round ${round + 1}`, name };
}

/** How long the Conductor took to plan. For an unfinished plan, its state. */
export function planDetail(planning: Planning): string {
  const tries = planning.retries > 0 ? `, on try ${planning.retries + 1}` : '';
  if (planning.state === 'writing') return `${planning.waits ? 'waiting' : 'writing'}${tries}`;
  if (planning.state === 'failed') return `failed${tries}`;
  if (planning.state === 'stopped') return 'stopped';
  const planMs = planning.end - planning.begin;
  return (planMs < 50 ? 'instant' : duration(planMs)) + tries;
}
