/** @file What the list of events shows for an event besides its name: its step, and its most important fact. */
import { VOTE_WORDS } from '../../core/analysis/pair-words';
import { seenByStep } from '../../core/analysis/seen-by-step';
import {
  deltaLength,
  isKnownEvent,
  type Run,
  type RunEvent,
  type StoredEvent,
  type Usage,
  type Waiting,
} from '../../core/contract';
import { count, duration, listed, plural } from '../ui/figures';
import { stepNumber } from '../score/parts';
import { faultWord, firstWords } from '../score/score-words';
import { selectedPlace, selectionOf } from './selection';

/** Number and color of an event's step, or `null` for events without a step. */
export function headOf(event: StoredEvent, run: Run): { readonly number: number; readonly colour: number } | null {
  const place = selectedPlace(selectionOf(event));
  if (!place) return null;
  const worker = run.rounds[place.round]?.steps[place.step]?.step.worker;
  return { number: stepNumber(run, place), colour: run.pool[worker ?? -1]?.colour ?? 0 };
}

/** A few words to show after an event's name, or `''` if the name says enough. */
export function detailOf(event: StoredEvent, run: Run): string {
  return isKnownEvent(event) ? knownDetail(event, run) : 'from a newer version of Podium';
}

function knownDetail(event: RunEvent, run: Run): string {
  const numberOf = (round: number, step: number) => stepNumber(run, { round, step });
  switch (event.type) {
    case 'run-started':
      return plural(event.pool.filter((worker) => worker.kind !== 'conductor').length, 'worker');
    case 'round-started':
      return run.rounds.length > 1 ? `round ${event.round + 1}` : '';
    case 'round-finished':
      return { answered: '', recursed: 'handed over', kept: 'answer kept', failed: 'failed' }[event.outcome];
    case 'plan-started':
      return event.conductor.label;
    case 'plan-delta':
    case 'step-delta':
      return deltaDetail(event);
    case 'plan-step-known':
      return run.pool[event.step.worker]?.name ?? '';
    case 'plan-retried':
      return event.next === 'fallback' ? 'built-in Conductor' : 'retried';
    case 'plan-candidate':
      if (event.fault) return 'failed';
      return event.workflow
        ? `no. ${event.candidate + 1}, ${plural(event.workflow.steps.length, 'step')}`
        : 'unreadable';
    case 'plan-chosen':
      return `no. ${event.candidate + 1}, by ${{ person: 'you', vote: 'vote', rank: 'the policy' }[event.by]}`;
    case 'plan-finished':
    case 'plan-edited':
      return plural(event.workflow.steps.length, 'step');
    case 'plan-failed':
    case 'step-retried':
    case 'step-failed':
    case 'run-failed':
      return faultWord(event.fault);
    case 'step-started': {
      const step = run.rounds[event.round]?.steps[event.step]?.step;
      const seen = step ? seenByStep(step, numberOf(event.round, 0)) : [];
      const again = event.attempt > 0 ? `try ${event.attempt + 1}` : '';
      const sees = seen.length > 0 ? `sees ${listed(seen)}` : '';
      return [again, sees].filter(Boolean).join(', ');
    }
    case 'plan-waiting':
    case 'step-waiting':
      return waitingDetail(event);
    case 'step-finished':
    case 'step-discarded':
    case 'step-cancelled':
      return tokens(event.usage);
    case 'step-skipped':
      return event.because === event.step
        ? 'no further round'
        : `step ${numberOf(event.round, event.because)} has no result`;
    case 'step-settled':
      return `as step ${numberOf(event.round, event.from)}, by step ${listed(event.evidence.map((step) => numberOf(event.round, step)))}`;
    case 'step-reused':
      return 'from the earlier run';
    case 'cap-reached':
      if (event.day) return 'daily budget';
      return event.cap === 'usd' ? 'cost' : event.cap;
    case 'answer-requested':
      return event.combinedBy === undefined ? 'by you' : 'by you, with a combining call';
    case 'run-finished':
      return `step ${numberOf(event.round, event.step)} answers`;
    case 'run-graded':
      if (event.judge?.pending) return 'calling the judge';
      if (event.correct === null) return event.by === 'grader' ? 'no verdict' : 'grade removed';
      return event.correct ? 'right' : 'wrong';
    case 'answers-compared':
      return event.pending ? `calling ${event.by}` : `by ${event.by}`;
    case 'alone-answered':
      if (event.pending) return 'calling the worker';
      return event.fault ? 'failed' : tokens(event.usage);
    case 'pair-compared':
      return VOTE_WORDS[event.preferred];
    case 'run-labelled':
      return event.on ? event.label : `removed: ${event.label}`;
    case 'run-annotated':
      return annotationDetail(event);
    case 'plan-held':
      return event.heldFor === 'approval' ? 'waiting for your approval' : 'waiting for your choice';
    case 'plan-approved':
    case 'step-queued':
    case 'run-cancelled':
    case 'run-interrupted':
    case 'run-imported':
    case 'run-resumed':
      return '';
    default:
      return event satisfies never;
  }
}

function deltaDetail(event: Extract<RunEvent, { type: 'plan-delta' | 'step-delta' }>): string {
  const words = firstWords(event.text, 4, 24) || `${count(deltaLength(event))} characters`;
  return event.channel === 'reasoning' ? `reasoning: ${words}` : words;
}

function annotationDetail({ title, note, starred }: Extract<RunEvent, { type: 'run-annotated' }>): string {
  if (title !== undefined) return title === '' ? 'title removed' : `title: ${firstWords(title, 4, 24)}`;
  if (note !== undefined) return note === '' ? 'note removed' : `note: ${firstWords(note, 4, 24)}`;
  return starred ? 'starred' : 'star removed';
}

function waitingDetail({ for: cause, delay }: Waiting): string {
  if (cause === null) return 'sent now';
  const words = { limit: 'for a rate limit', place: 'for its turn', money: 'for the daily budget' }[cause];
  return delay === null ? words : `${words}, ${duration(delay)}`;
}

function tokens(usage: Usage | null): string {
  if (!usage) return '';
  return `${usage.estimated ? 'about ' : ''}${count(usage.input + usage.output)} tok`;
}
