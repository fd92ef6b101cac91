/**
 * @file `podium teach`: learns lessons for a Conductor from graded runs, and proves them. The search is stored as JSON lines and can be
 * resumed.
 */
import { dirname, resolve } from 'node:path';
import {
  confidentialityCheck,
  money,
  toFault,
  isAbort,
  type EvaluationTask,
  type LearnedLessons,
  type PoolWorker,
  type RunStore,
} from '../../core/contract';
import { UnitGrader } from '../../core/evaluation/batches/grading';
import { learnedBy, withLearned } from '../../core/lessons/learned';
import { nextStep, winnerOf } from '../../core/lessons/next-step';
import { validationScore } from '../../core/lessons/pareto';
import { lessonEffects, proofOf } from '../../core/lessons/proof';
import { search } from '../../core/lessons/search';
import { REFLECTION_MODES, type SearchEvent, type SearchPlan } from '../../core/lessons/search-events';
import {
  ablationStart,
  FEWEST_TASKS,
  proofStart,
  rulesFor,
  searchPlan,
  tasksForTest,
  USUAL_BUDGET,
} from '../../core/lessons/search-plan';
import { searchRuns } from '../../core/lessons/search-runs';
import { applySearchEvent, foldSearch, type SearchState } from '../../core/lessons/search-state';
import { effectWords, isOffered, neededWords, proofWords, splitWords } from '../../core/lessons/search-words';
import { withMeasuredGrader } from '../../core/lessons/tasks/measured-tasks';
import { MEASURED_DOMAINS } from '../../core/measurement/ability/observation';
import { trainerLines } from '../../core/lessons/trainer-export';
import { isWritten, modelOf } from '../../core/runs/preferred-run';
import { readPoolFile, writePoolFile } from '../../platform/store/pool-file';
import { version } from '../../../package.json';
import { engineOptions, type Command, type CommandContext } from '../command';
import { createEngine, type Engine } from '../engine';
import { createGraders } from '../eval/graders';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { printable } from '../printable';
import { EventFile } from '../store/event-file';
import { lockFile } from '../store/file-lock';
import { openRunFiles } from '../store/run-files';
import { writeWholeFile } from '../store/whole-file';
import { readTextFile } from '../read-text';
import { SEARCH_FORMAT, SEARCH_SUFFIX } from './search-file';
import { rememberTests, usedTests } from './used-tests';
import { readTeachTasks } from './teach-tasks';

const USAGE = `podium teach --tasks FILE | --graded FILE | --generated DOMAINS | --puzzles N [options]

Learns lessons for a Conductor that is a language model, from graded runs with your pool. Without --prove, shows the best lessons. With
--prove, also compares them with the current prompt on the test tasks, which take no part in the search.

  --tasks FILE        Tasks as JSON lines with question, grader, and reference if the grader needs one
  --graded FILE       Saved runs. Their questions are tasks if their answer was graded as right and is short
  --generated DOMAINS Generated tasks as in podium measure: all, or some of ${MEASURED_DOMAINS.join(', ')}
  --puzzles N         Generated puzzles, which simulated workers can solve
  --out NAME          Writes NAME.podium-search.jsonl, NAME.runs.jsonl, NAME.podium-lessons.json and, if the lessons are proved,
                      NAME.pool.json: the pool with the lessons (default: podium-teach)
  --reflect ID        The worker that reflects (default: the Conductor's own model)
  --max-runs N        Maximum number of graded runs of the search (default: 500)
  --max-cost USD      Maximum cost of the search
  --mode MODE         rewrite: each reflection writes all lessons anew. edit: it changes single lessons (default: rewrite)
  --tokens N          Maximum number of tokens of the lessons (default: 400)
  --hide-references   The reflecting model does not see right answers
  --dry-run           Shows the split and the expected calls, and makes no calls
  --prove             Proves the lessons after the search. Costs two runs for each test task
  --each-lesson       After the proof, also shows what each lesson gives. Costs one run for each lesson and test task
  --trainers          Also writes NAME.sft.jsonl and NAME.preferences.jsonl: the plans of the search, for trainers
  --seed N            Seed (default: 0)
  -j, --jobs N        Number of runs at a time (default: 4)
  --pool FILE, --keys FILE, --conductor ID, --config FILE, --json

An interrupted search continues with the same command.
Exit codes: 0 done, 2 wrong input, 4 no lessons were found or proved, 130 interrupted.
`;

export const teachCommand: Command = {
  usage: USAGE,
  options: {
    tasks: { type: 'string' },
    graded: { type: 'string' },
    generated: { type: 'string' },
    puzzles: { type: 'string' },
    out: { type: 'string' },
    reflect: { type: 'string' },
    'max-runs': { type: 'string' },
    mode: { type: 'string' },
    tokens: { type: 'string' },
    'hide-references': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    prove: { type: 'boolean' },
    trainers: { type: 'boolean' },
    'each-lesson': { type: 'boolean' },
    seed: { type: 'string' },
    jobs: { type: 'string', short: 'j' },
  },
  run,
};

async function run(context: CommandContext): Promise<ExitCode> {
  const { line, terminal } = context;
  const notify = (sentence: string) => terminal.error(`${printable(sentence)}\n`);
  const out = resolve(line.text('out') ?? 'podium-teach');
  const seed = line.count('seed', 0) ?? 0;
  const own = await readTeachTasks(context, seed);
  const generated = [...tasksForTest(own, seed)];
  const tasks = new Map([...own, ...generated].map((task) => [task.id, task]));
  if (tasks.size < own.length + generated.length) throw new UsageError('Two tasks have the same id.');
  const release = await lockFile(`${out}.lock`, { signal: terminal.interrupted, notify });
  try {
    const store = await openRunFiles(`${out}.runs.jsonl`, notify);
    try {
      const engine = await createEngine({ ...engineOptions(context), usd: null, store });
      const reflector = reflectorOf(engine, line.text('reflect'));
      const plan = planOf(context, { engine, reflector, own, generated, seed });
      terminal.error(planWords(plan));
      if (line.has('dry-run')) return EXIT.done;
      await engine.runs.recover();
      const file = await EventFile.open(`${out}${SEARCH_SUFFIX}`, SEARCH_FORMAT);
      try {
        return await teach({ context, engine, reflector, plan, tasks, store, file, out });
      } finally {
        await file.close();
      }
    } finally {
      await store.close();
    }
  } finally {
    await release();
  }
}

interface Teaching {
  readonly context: CommandContext;
  readonly engine: Engine;
  readonly reflector: PoolWorker;
  readonly plan: SearchPlan;
  readonly tasks: ReadonlyMap<string, EvaluationTask>;
  readonly store: Pick<RunStore, 'read'>;
  readonly file: EventFile<SearchEvent>;
  /** The path of the files, without endings. */
  readonly out: string;
}

async function teach(teaching: Teaching): Promise<ExitCode> {
  const { context, engine, reflector, plan, tasks, file, out } = teaching;
  const { line, terminal } = context;
  let state = await startedSearch(file, plan);
  const rules = rulesFor(tasks.values(), engine.pool.workers);
  const graders = createGraders(engine.directory, null);
  const calls = searchRuns({
    ...engine,
    pool: engine.pool.workers,
    plan,
    tasks,
    grader: new UnitGrader(withMeasuredGrader(graders, tasks.values()), null),
    reflector,
    showsReference: !line.has('hide-references'),
  });
  const append = (event: SearchEvent) => file.append(event);
  const onState = (next: SearchState) => {
    if (next.iterations !== state.iterations) terminal.error(progressWords(next));
    state = next;
  };
  const concurrency = line.count('jobs', 1) ?? 4;
  const wait = {
    signal: terminal.interrupted,
    notify: (sentence: string) => terminal.error(`${printable(sentence)}\n`),
  };
  const go = async () => {
    if (state.proof) await rememberTests(dirname(out), plan.id, state.proof.tasks, wait);
    state = await search(state, { calls, rules, append, concurrency, onState }, terminal.interrupted);
  };
  try {
    if (nextStep(state, rules).kind !== 'done') await go();
    const more = async (event: SearchEvent | null) => {
      if (!event) return;
      await append(event);
      state = applySearchEvent(state, event);
      await go();
    };
    if (line.has('prove')) await more(proofStart(state, await usedTests(dirname(out), plan.id)));
    if (line.has('each-lesson')) await more(ablationStart(state));
  } catch (thrown) {
    if (isAbort(thrown) && terminal.interrupted.aborted) {
      terminal.error('Interrupted. The same command continues the search.\n');
      return EXIT.interrupted;
    }
    terminal.error(`${printable(toFault(thrown).message)} The same command continues the search.\n`);
    return EXIT.incomplete;
  }
  if (line.has('trainers')) await writeForTrainers(state, teaching);
  return finish(state, teaching);
}

/** Throws a `UsageError` if the file has another search. */
async function startedSearch(file: EventFile<SearchEvent>, plan: SearchPlan): Promise<SearchState> {
  const known = foldSearch(file.events);
  if (!known) {
    const event = { type: 'search-started', plan } as const;
    await file.append(event);
    return applySearchEvent(null, event);
  }
  if (known.plan.id === plan.id) {
    const { caps } = plan;
    if (JSON.stringify(known.plan.caps) === JSON.stringify(caps)) return known;
    const event = { type: 'caps-changed', caps } as const;
    await file.append(event);
    return applySearchEvent(known, event);
  }
  throw new UsageError(
    'This name belongs to a search with other tasks, workers or options. Choose another name with --out.',
  );
}

async function finish(state: SearchState, { context, engine, out }: Teaching): Promise<ExitCode> {
  const { terminal, line } = context;
  const winner = winnerOf(state);
  const proof = proofOf(state);
  const { runs, reflections, spent } = state;
  terminal.error(`${runs} graded runs, ${reflections} reflections, ${spent.calls} calls, ${costWords(spent)}\n`);
  if (!winner) {
    terminal.error('No lessons were better than the current prompt.\n');
    return EXIT.someFailed;
  }
  const learned = learnedBy(engine.conductor, engine.pool.workers, winner.lessons);
  const effects = lessonEffects(state);
  const content = {
    format: 'podium-lessons',
    version: 1,
    learned,
    ...(proof ? { proof } : {}),
    ...(effects ? { effects } : {}),
  };
  await writeWholeFile(`${out}.podium-lessons.json`, `${JSON.stringify(content, null, 2)}\n`);
  if (line.has('json')) terminal.out(`${JSON.stringify(content)}\n`);
  else terminal.out(printable(`${winner.lessons.map((lesson) => `- ${lesson}`).join('\n')}\n`));
  for (const effect of lessonEffects(state) ?? []) {
    terminal.error(printable(`${effectWords(effect)}. ${effect.lesson}\n`));
  }
  if (proof) terminal.error(`${proofWords(proof)}\n`);
  else if (state.proof) terminal.error('Too few test tasks have a verdict for a proof.\n');
  else terminal.error(`Not proved yet. Add --prove: ${2 * state.plan.split.test.length} runs.\n`);
  if (!state.proof) return EXIT.done;
  if (!isOffered(proof?.verdict)) return EXIT.someFailed;
  const pool = engineOptions(context).pool;
  if (pool !== null) {
    await writeWholeFile(`${out}.pool.json`, poolWithLessons(await readTextFile(pool), learned));
    terminal.error(`To use the lessons, give ${out}.pool.json with --pool.\n`);
  }
  return EXIT.done;
}

async function writeForTrainers(state: SearchState, { store, out }: Teaching): Promise<void> {
  const read = (id: string) => store.read(id);
  const isConfidential = confidentialityCheck({ read, datasets: [], batches: [] });
  for (const [form, name] of [['examples', 'sft'] as const, ['pairs', 'preferences'] as const]) {
    const lines: string[] = [];
    for await (const line of trainerLines(state, form, { store, isConfidential }))
      lines.push(`${JSON.stringify(line)}\n`);
    await writeWholeFile(`${out}.${name}.jsonl`, lines.join(''));
  }
}

/** The pool file with the lessons. They replace earlier lessons of this Conductor. */
function poolWithLessons(text: string, learned: LearnedLessons): string {
  const pool = readPoolFile(text);
  const preferences = { ...pool.preferences, prompts: withLearned(pool.preferences.prompts, learned) };
  return writePoolFile({ ...pool, preferences }, version);
}

function reflectorOf({ pool, conductor }: Engine, given: string | null): PoolWorker {
  if (!isWritten(conductor)) {
    throw new UsageError(
      `${conductor.label} reads no lessons. Choose a language model with --conductor, such as endpoint:ID.`,
    );
  }
  const id = given ?? modelOf(conductor).slice('endpoint:'.length);
  const worker = pool.all.get(id);
  if (worker?.kind === 'endpoint') return worker;
  throw new UsageError(`There is no worker “${id}” that could reflect. Name one of the pool file with --reflect.`);
}

interface PlanParts {
  readonly engine: Engine;
  readonly reflector: PoolWorker;
  readonly own: readonly EvaluationTask[];
  readonly generated: readonly EvaluationTask[];
  readonly seed: number;
}

function planOf({ line }: CommandContext, { engine, reflector, own, generated, seed }: PlanParts): SearchPlan {
  const { pool, conductor, request } = engine;
  const plan = searchPlan({
    own,
    areOwn: line.text('tasks') !== null || line.text('graded') !== null,
    generated,
    seed,
    start: request('').prompt?.lessons ?? [],
    lessonTokens: line.count('tokens', 50) ?? USUAL_BUDGET.lessonTokens,
    caps: { runs: line.count('max-runs', 1) ?? USUAL_BUDGET.runs, usd: line.number('max-cost', 0) },
    mode: line.choice('mode', REFLECTION_MODES) ?? 'rewrite',
    also: [pool.workers, conductor.id, reflector.id, line.has('hide-references')],
  });
  if (plan) return plan;
  throw new UsageError(`A search needs at least ${FEWEST_TASKS} tasks, and these are ${own.length}.`);
}

function planWords({ split, caps }: SearchPlan): string {
  return `${splitWords(split)}\n${neededWords()}\nThe search makes at most ${caps.runs} graded runs, the proof ${2 * split.test.length} more.\n`;
}

function progressWords(state: SearchState): string {
  const { iterations, runs, plan, candidates, spent } = state;
  const pool = candidates.filter(({ status }) => status === 'pool');
  const best = winnerOf(state) ?? candidates[0];
  const score = best ? validationScore(best, plan.split.validation) : null;
  const share = score === null ? '' : `, best on validation ${(100 * score).toFixed(1)} %`;
  return `Iteration ${iterations}: ${runs} of ${plan.caps.runs} runs, ${pool.length} candidates${share}, ${costWords(spent)}\n`;
}

function costWords({ usd, unpriced }: { readonly usd: number; readonly unpriced: number }): string {
  return `${money(usd)}${unpriced > 0 ? ` and ${unpriced} calls of unknown cost` : ''}`;
}
