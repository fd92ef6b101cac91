/** @file The state of a search, folded from its events. */
import type { CallCost, GradedCall, LostOutcome, SearchEvent, SearchPlan } from './search-events';

/**
 * - `tested`: it runs on the minibatch or on the validation tasks
 * - `pool`: it has run on all validation tasks, and can be a parent or the winner
 * - `ablated`: the proved lessons without one of them
 */
export type CandidateStatus = 'tested' | 'pool' | 'ablated' | LostOutcome;

export interface Candidate {
  readonly index: number;
  readonly lessons: readonly string[];
  /** Index of the candidate from which it was made. `null`: it is the start. */
  readonly parent: number | null;
  readonly status: CandidateStatus;
  /** Results by task. A task has one entry, however often it is needed. */
  readonly results: ReadonlyMap<string, GradedCall>;
}

export interface Iteration {
  readonly number: number;
  readonly parent: number;
  readonly minibatch: readonly string[];
  /** The answer of the reflecting model. `null`: it has not answered. */
  readonly answer: string | null;
  /** Index of the candidate that the answer made. `null`: none yet. */
  readonly child: number | null;
}

export interface Proof {
  readonly candidate: number;
  readonly tasks: readonly string[];
  /** Whether no earlier search was proved on these tasks. */
  readonly isUnseen: boolean;
  /** For each proved lesson, the index of the candidate without it. Empty: not asked for. */
  readonly without: readonly number[];
}

export interface SearchState {
  readonly plan: SearchPlan;
  readonly candidates: readonly Candidate[];
  /** The iteration in progress. `null`: none. */
  readonly current: Iteration | null;
  /** Number of iterations that have ended, and how. */
  readonly iterations: number;
  readonly outcomes: Readonly<Record<LostOutcome | 'accepted', number>>;
  readonly runs: number;
  readonly reflections: number;
  /** The cost of the search, without the proof. */
  readonly spent: CallCost;
  readonly isEnded: boolean;
  readonly proof: Proof | null;
  readonly proofSpent: CallCost;
}

const NOTHING: CallCost = { usd: 0, unpriced: 0, calls: 0 };

/**
 * Adds an event to the state of a search. `null` before the first event. Throws a `RangeError` if the event does not belong to the
 * state.
 */
export function applySearchEvent(state: SearchState | null, event: SearchEvent): SearchState {
  if (event.type === 'search-started') return startOf(event.plan);
  if (!state) throw new RangeError('The search has no beginning.');
  const { current } = state;
  switch (event.type) {
    case 'run-graded': {
      const { type: _type, candidate, task, ...result } = event;
      const isProof = state.proof?.tasks.includes(task) ?? false;
      const changed = withCandidate(state, candidate, (known) => ({
        ...known,
        results: new Map(known.results).set(task, result),
      }));
      if (isProof) return { ...changed, proofSpent: sumOf(state.proofSpent, result) };
      return { ...changed, runs: state.runs + 1, spent: sumOf(state.spent, result) };
    }
    case 'iteration-started': {
      const { iteration: number, parent, minibatch } = event;
      return { ...state, current: { number, parent, minibatch, answer: null, child: null } };
    }
    case 'reflection-answered': {
      if (!current) throw new RangeError('No iteration is in progress.');
      const spent = sumOf(state.spent, event);
      return { ...state, spent, reflections: state.reflections + 1, current: { ...current, answer: event.text } };
    }
    case 'candidate-proposed': {
      if (!current) throw new RangeError('No iteration is in progress.');
      const child = newCandidate(state, event.lessons, event.parent, 'tested');
      return { ...state, candidates: [...state.candidates, child], current: { ...current, child: child.index } };
    }
    case 'iteration-ended': {
      const { outcome } = event;
      const child = current?.child ?? null;
      const status: CandidateStatus = outcome === 'accepted' ? 'pool' : outcome;
      const changed = child === null ? state : withCandidate(state, child, (known) => ({ ...known, status }));
      const outcomes = { ...state.outcomes, [outcome]: state.outcomes[outcome] + 1 };
      return { ...changed, outcomes, iterations: state.iterations + 1, current: null };
    }
    case 'search-ended':
      return { ...state, isEnded: true };
    case 'proof-started': {
      const { candidate, tasks, isUnseen, lessons } = event;
      const added = lessons ? [newCandidate(state, lessons, 0, 'tested')] : [];
      const candidates = [...state.candidates, ...added];
      return { ...state, candidates, isEnded: true, current: null, proof: { candidate, tasks, isUnseen, without: [] } };
    }
    case 'ablation-started': {
      const { proof, candidates } = state;
      const proved = proof ? candidates[proof.candidate] : undefined;
      if (!proof || !proved) throw new RangeError('No proof has started.');
      const without = proved.lessons.map((_, index) => {
        const rest = proved.lessons.filter((_lesson, other) => other !== index);
        return { ...newCandidate(state, rest, proved.index, 'ablated'), index: candidates.length + index };
      });
      const indexes = without.map(({ index }) => index);
      return { ...state, candidates: [...candidates, ...without], proof: { ...proof, without: indexes } };
    }
    case 'caps-changed':
      return withCaps(state, event.caps);
    default:
      return event satisfies never;
  }
}

/** A state under other caps. If they are higher, a search that had ended goes on. A search whose proof has begun stays ended. */
function withCaps(state: SearchState, caps: SearchPlan['caps']): SearchState {
  const { caps: before } = state.plan;
  const isRaised = caps.runs > before.runs || (before.usd !== null && (caps.usd === null || caps.usd > before.usd));
  return { ...state, plan: { ...state.plan, caps }, isEnded: state.isEnded && (!isRaised || state.proof !== null) };
}

/** The state of a search after all its events. `null`: there are none. */
export function foldSearch(events: Iterable<SearchEvent>): SearchState | null {
  let state: SearchState | null = null;
  for (const event of events) state = applySearchEvent(state, event);
  return state;
}

function startOf(plan: SearchPlan): SearchState {
  return {
    plan,
    candidates: [{ index: 0, lessons: plan.start, parent: null, status: 'pool', results: new Map() }],
    current: null,
    iterations: 0,
    outcomes: { accepted: 0, perfect: 0, refused: 0, repeated: 0, 'no-gain': 0, hopeless: 0 },
    runs: 0,
    reflections: 0,
    spent: NOTHING,
    isEnded: false,
    proof: null,
    proofSpent: NOTHING,
  };
}

function newCandidate(
  { candidates }: SearchState,
  lessons: readonly string[],
  parent: number,
  status: CandidateStatus,
): Candidate {
  return { index: candidates.length, lessons, parent, status, results: new Map() };
}

function withCandidate(state: SearchState, index: number, change: (known: Candidate) => Candidate): SearchState {
  const known = state.candidates[index];
  if (!known) throw new RangeError(`There is no candidate ${index}.`);
  return { ...state, candidates: state.candidates.with(index, change(known)) };
}

function sumOf(one: CallCost, other: CallCost): CallCost {
  return { usd: one.usd + other.usd, unpriced: one.unpriced + other.unpriced, calls: one.calls + other.calls };
}
