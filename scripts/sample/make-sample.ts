/**
 * @file Makes the runs of the sample archive with Podium's executor, simulated workers and a
 * virtual clock. All random choices have fixed seeds, so the runs are always the same.
 */
import { BY_HAND_INFO, createByHandConductor } from '../../src/core/conductor/by-hand';
import { createHeuristicConductor } from '../../src/core/conductor/heuristic';
import { templateConductor, TEMPLATES } from '../../src/core/conductor/templates';
import {
  foldEvents,
  mixSeed,
  SAMPLE_LABEL,
  sampleRunId,
  SETTING_DEFAULTS,
  settingsOf,
  shrinkDeltas,
  TEMPLATE_MAX_STEPS,
  type Annotation,
  type Clock,
  type Conductor,
  type EventBody,
  type Run,
  type RunSettings,
  type StoredEvent,
  type Workflow,
} from '../../src/core/contract';
import { generatedTasks } from '../../src/core/evaluation/datasets/practice/generated-tasks';
import { execute } from '../../src/core/executor/execute';
import type { ForkPrior } from '../../src/core/executor/request';
import { createPuzzleGrader } from '../../src/core/graders/puzzle';
import { conductorEntry } from '../../src/core/runs/new-run';
import { followingEvent } from '../../src/core/runs/saved-runs';
import { VirtualClock } from '../../src/core/runs/virtual-clock';
import { createSimulatedWorkers } from '../../src/core/simulation/client';
import { simulatedPoolWorkers } from '../../src/core/simulation/profiles';
import { SAMPLE_QUESTIONS } from '../../src/core/tasks/samples';
import { withInventedPrices } from './invented-prices';
import { FREE_ANSWERS, GRAMMAR_ANSWERS, simulatedModel } from './simulated-model';

/** The description of one run in the archive. */
interface Piece {
  readonly question: string;
  /** A Conductor, or a function that makes a Conductor from the run's clock. */
  readonly conductor: Conductor | ((clock: Clock) => Conductor);
  readonly settings?: Partial<RunSettings>;
  /** The step (0-based) at whose start the run is interrupted, as if the user had closed the page. */
  readonly cutAt?: number;
  readonly labels?: readonly string[];
  readonly annotation?: Partial<Annotation>;
  /**
   * Makes this run a fork of an earlier run. `number` is the 1-based position of the earlier run in
   * the archive. `point` returns the fork's workflow, and the step at which the fork begins.
   */
  readonly fork?: { readonly number: number; readonly point: (run: Run) => Omit<ForkPrior, 'kind' | 'run'> };
}

/** Earliest start of the first run, ms since the epoch. */
const FIRST = Date.UTC(2026, 8, 8, 7, 30);
const HOUR = 3_600_000;
/** Average time between the starts of two consecutive runs, ms. */
const APART = 28 * HOUR;

const never = () => new AbortController().signal;

/**
 * Makes all runs of the archive.
 * @param policy the trained policy that comes with Podium
 * @returns the events of each run
 */
export async function makeSample(policy: Conductor): Promise<StoredEvent[][]> {
  const runs: StoredEvent[][] = [];
  // In a first run, the virtual clock goes on while code loads late. So a run is made before the first one that counts.
  const [first] = pieces(policy);
  if (first) await play(first, { number: 1, startedAt: FIRST, parent: null });
  for (const [index, piece] of pieces(policy).entries()) {
    const parent = piece.fork ? foldEvents(runs[piece.fork.number - 1] ?? []) : null;
    const startedAt = FIRST + index * APART + (mixSeed('sample-time', index) % (9 * HOUR));
    runs.push(await play(piece, { number: index + 1, startedAt, parent }));
  }
  return runs;
}

function pieces(policy: Conductor): Piece[] {
  const rules = createHeuristicConductor();
  const template = (name: string): Conductor => {
    const info = TEMPLATES.find((each) => each.info.id === `template:${name}`)?.info;
    const conductor = info && templateConductor(info);
    if (!conductor) throw new RangeError(`There is no template ${name}.`);
    return conductor;
  };
  const texts = SAMPLE_QUESTIONS.map(({ question }) => question);
  const drawn = generatedTasks(14, 100).flatMap(({ group, question }) =>
    group?.endsWith('very hard') ? [question] : [],
  );
  const questions = [...texts.slice(0, 3), ...drawn.slice(0, 2)];
  const conductors = [
    policy,
    rules,
    template('best-single'),
    template('self-reflection'),
    template('mixture-of-agents'),
    template('debate'),
  ];
  const written = (answers: readonly (readonly string[])[], hasGrammar: boolean) =>
    answers.map((each, index): Piece => ({
      question: questions[index] ?? '',
      conductor: simulatedModel(each, hasGrammar),
      settings: { recursionMode: 'always', caps: { rounds: 2, calls: 20, tokens: null, usd: null } },
    }));
  const [numbers = '', dates = '', statements = ''] = questions;
  const [, , later = '', last = ''] = drawn;
  return [
    // Every Conductor in `conductors` answers every question in `questions`.
    ...conductors.flatMap((conductor) => questions.map((question): Piece => ({ question, conductor }))),
    { question: numbers, conductor: template('consensus'), labels: ['baseline'] },
    { question: dates, conductor: template('routing') },
    { question: statements, conductor: template('sample-and-aggregate'), labels: ['baseline'] },
    { question: later, conductor: template('random'), annotation: { note: 'A random workflow, to compare with.' } },
    {
      question: last,
      conductor: createTwoRoundConductor(),
      settings: {
        pool: [...simulatedPoolWorkers(), conductorEntry(BY_HAND_INFO)],
        recursion: true,
        caps: { rounds: 2, calls: 16, tokens: null, usd: null },
      },
      annotation: { title: 'A second round that checks the first', starred: true },
    },
    {
      question: numbers,
      conductor: createByHandConductor(byHand),
      annotation: { title: 'Two solvers and a judge, written by hand', note: 'Solvers that do not see each other.' },
    },
    {
      question: later,
      conductor: template('debate'),
      settings: { caps: { rounds: 1, calls: 4, tokens: null, usd: null } },
    },
    { question: statements, conductor: policy, cutAt: 2, annotation: { note: 'The tab was closed while this ran.' } },
    {
      question: numbers,
      conductor: policy,
      labels: ['fork'],
      fork: { number: 1, point: lastStepElsewhere },
      annotation: { title: 'The last step by another worker', starred: true },
    },
    ...written(FREE_ANSWERS, false),
    ...written(GRAMMAR_ANSWERS, true),
    // A Conductor with fewer than 10 graded runs is never on the Pareto front. The runs below bring two
    // Conductors to at least 10.
    ...[policy, template('best-single')].flatMap((conductor) =>
      drawn.slice(2, 7).map((question): Piece => ({ question, conductor })),
    ),
    // The plot of checks needs 10 checked answers.
    { question: drawn.at(7) ?? '', conductor: rules },
  ];
}

const byHand: Workflow = {
  steps: [
    {
      worker: 1,
      subtask: 'Solve the task. Show the steps that matter and end with your result.',
      access: [],
      role: 'solve',
    },
    { worker: 4, subtask: 'Solve the task in another way. End with your result.', access: [], role: 'solve' },
    {
      worker: 2,
      subtask: 'Check each result against the task, and give the one that is right.',
      access: [0, 1],
      role: 'decide',
    },
  ],
};

const solved = 'Solve the task. Show the steps that matter and end with your result.';
/** Worker 5 in the last step is the Conductor itself, so this step starts the second round. */
const firstRound: Workflow = {
  steps: [
    { worker: 1, subtask: solved, access: [], role: 'solve' },
    { worker: 3, subtask: solved, access: [], role: 'solve' },
    { worker: 5, subtask: 'Plan how to check both results.', access: [0, 1] },
  ],
};
const secondRound: Workflow = {
  steps: [
    {
      worker: 2,
      subtask: 'Check each result against the task. Say of each whether it is right.',
      access: [],
      seesEarlier: true,
      role: 'verify',
    },
    {
      worker: 0,
      subtask: 'Decide on the one right answer and give it in the form that the task asks for.',
      access: [0],
      seesEarlier: true,
      role: 'decide',
    },
  ],
};

/** Proposes `firstRound` in the first round, and `secondRound` in later rounds. */
function createTwoRoundConductor(): Conductor {
  const [first, second] = [createByHandConductor(firstRound), createByHandConductor(secondRound)];
  return {
    info: BY_HAND_INFO,
    propose: (request, signal) =>
      request.round === 0 ? first.propose(request, signal) : second.propose({ ...request, round: 0 }, signal),
  };
}

/** Forks a run at its last step. In the fork, the pool's next worker does this step. */
function lastStepElsewhere({ rounds, pool }: Run): Omit<ForkPrior, 'kind' | 'run'> {
  const steps = rounds[0]?.plan?.workflow?.steps ?? [];
  const step = steps.length - 1;
  const change = (worker: number) => (worker + 1) % pool.length;
  const workflow = { steps: steps.map((each, at) => (at === step ? { ...each, worker: change(each.worker) } : each)) };
  return { round: 0, step, workflow };
}

interface PlayedAs {
  readonly number: number;
  readonly startedAt: number;
  readonly parent: Run | null;
}

async function play(piece: Piece, { number, startedAt, parent }: PlayedAs): Promise<StoredEvent[]> {
  const { fork, cutAt } = piece;
  const clock = new VirtualClock(startedAt, () => new Promise((resolve) => void setImmediate(resolve)));
  const conductor = typeof piece.conductor === 'function' ? piece.conductor(clock) : piece.conductor;
  const client = withInventedPrices(createSimulatedWorkers({ clock, isCoarse: false }));
  const point = fork && parent ? fork.point(parent) : null;
  const start = point && parent ? settingsOf(parent) : settingsFor(piece, conductor, number);
  const request = {
    runId: sampleRunId(number),
    start: {
      ...start,
      ...(point && parent ? { parent: { runId: parent.id, round: point.round, step: point.step } } : {}),
    },
    history: [],
    ...(point && parent ? { prior: { kind: 'fork' as const, run: parent, ...point } } : {}),
  };
  const journal = { append: () => Promise.resolve() };
  const events: StoredEvent[] = [];
  const stop = new AbortController();
  for await (const event of execute(request, { conductor, workers: () => client, journal, clock }, stop.signal)) {
    events.push(event);
    if (event.type === 'step-started' && event.step === cutAt) break;
  }
  const add = (body: EventBody) => {
    const newest = events.at(-1);
    if (newest) events.push(followingEvent(newest, body, clock));
  };
  if (cutAt !== undefined) add({ type: 'run-interrupted' });
  await grade(events, add);
  for (const label of [SAMPLE_LABEL, ...(piece.labels ?? [])]) add({ type: 'run-labelled', label, on: true });
  if (piece.annotation) add({ type: 'run-annotated', ...piece.annotation });
  return shrinkDeltas(events);
}

function settingsFor({ question, settings }: Piece, conductor: Conductor, number: number): RunSettings {
  const isTemplate = conductor.info.kind === 'template';
  return {
    ...SETTING_DEFAULTS,
    question: { text: question },
    pool: simulatedPoolWorkers(),
    conductor: conductor.info,
    recursion: false,
    maxSteps: isTemplate ? TEMPLATE_MAX_STEPS : 5,
    seed: mixSeed('sample-run', number),
    caps: { rounds: 1, calls: 20, tokens: null, usd: null },
    sampling: { temperature: 0.2, maxTokens: 4096 },
    skipSettled: true,
    ...settings,
  };
}

/** Grades the run's answer with the puzzle grader. Adds no grade if the run has no answer. */
async function grade(events: readonly StoredEvent[], add: (body: EventBody) => void): Promise<void> {
  const run = foldEvents(events);
  if (!run || run.answer === null) return;
  const { correct, detail } = await createPuzzleGrader().grade({ question: run.question.text }, run.answer, never());
  add({ type: 'run-graded', correct, by: 'grader', detail });
}
