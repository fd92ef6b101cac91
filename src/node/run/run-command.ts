/**
 * @file `podium run`: answers one question from the command line. Writes the run to a file that the page can import. Until the
 * run is over, its events are in a journal beside this file. An interrupted run can be resumed from the journal.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  applyEvent,
  foldEvents,
  isKnownEvent,
  isOver,
  parseJson,
  type Run,
  type StoredEvent,
} from '../../core/contract';
import type { LiveRun } from '../../core/runs/live-run';
import { parseRunValue, runValue, VerifiedTexts } from '../../platform/store/run-file';
import { engineOptions, type Command, type CommandContext } from '../command';
import { createEngine, type Engine } from '../engine';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { faultText } from '../fault-text';
import { readMeasuredChecks } from '../measure/measurement-file';
import { lockFile } from '../store/file-lock';
import { openRunFiles, type FileRunStore } from '../store/run-files';
import { checkReplaceable, writeWholeFile, type Replaceable } from '../store/whole-file';
import { readQuestionFiles } from './question-files';
import { ScorePrinter } from './score-printer';

const USAGE = `podium run "QUESTION" [options]

  --file FILE         A file for the question: text, code, CSV, JSON, PDF or Word. Can be repeated
  --pool FILE         A pool exported from the page (default: simulated workers)
  --keys FILE         A JSON file of addresses and keys. You must be the only user who can read it
  --conductor ID      The Conductor, such as policy or template:consensus
  --max-cost USD      Maximum cost of the run
  --measured FILE     A file of podium measure. The run trusts its checks as far as they were right there
  --seed N            Seed of the plan and the sampling. To repeat both, give the seed of an earlier run
  --out FILE          Where the run is written (default: podium-run-<id>.podium.jsonl)
  --overwrite         Replaces the file of --out even if it is not a finished run
  --resume FILE       Continues the interrupted run of this file. Needs no question
  --json              Prints each event as a line of JSON
  --config FILE       The configuration (default: podium.config.json)

Exit codes: 0 answered, 1 no answer, 2 wrong input, 3 a cap was reached, 130 interrupted.
`;

const NOTHING_LEFT =
  'There is no interrupted run to continue. Either the run of this file has finished, or the file has another name.';

export const runCommand: Command = {
  usage: USAGE,
  options: {
    measured: { type: 'string' },
    seed: { type: 'string' },
    file: { type: 'string', multiple: true },
    out: { type: 'string' },
    resume: { type: 'string' },
    overwrite: { type: 'boolean' },
  },
  run,
};

async function run(context: CommandContext): Promise<ExitCode> {
  const { line } = context;
  const resumed = line.text('resume');
  const [question = '', ...rest] = line.texts;
  if (rest.length > 0) throw new UsageError('Put the question in quotes, so that it is one argument.');
  if ((question.trim() === '') === (resumed === null)) {
    throw new UsageError('Give a question, or --resume with the file of an interrupted run.');
  }
  if (resumed !== null && line.all('file').length > 0) {
    throw new UsageError('The interrupted run has its files already. Leave out --file.');
  }
  const files = await readQuestionFiles(line.all('file'));
  const id = crypto.randomUUID();
  const out = resolve(resumed ?? line.text('out') ?? `podium-run-${id.slice(0, 8)}.podium.jsonl`);
  const journal = `${out}.journal`;
  // This check comes first, because `lockFile` would create the folder of the journal.
  if (resumed !== null && !existsSync(journal)) throw new UsageError(NOTHING_LEFT);
  const release = await lockFile(`${journal}.lock`);
  try {
    let isDamaged = false;
    const store = await openRunFiles(journal, (sentence) => {
      context.terminal.error(`${sentence}\n`);
      isDamaged = true;
    });
    let isWritten = false;
    try {
      if (resumed === null && ((await store.count()) > 0 || isDamaged)) {
        throw new UsageError(
          `${journal} has a run that was interrupted. Continue it with: podium run --resume ${out}\nTo start a new run, choose another --out, or delete the journal.`,
        );
      }
      await checkReplaceable(out, { isAnyFile: line.has('overwrite'), ...(resumed === null ? FINISHED : UNFINISHED) });
      const measured = line.text('measured');
      const engine = await createEngine({
        ...engineOptions(context),
        store,
        ...(measured === null ? {} : { measuredChecks: await readMeasuredChecks(measured) }),
      });
      for (const notice of engine.pool.notices) context.terminal.error(`${notice}\n`);
      const seed = line.count('seed', 0);
      const ended =
        resumed === null
          ? await follow(
              await engine.runs.start(engine.request(question, { id, files, ...(seed === null ? {} : { seed }) })),
              engine,
              context,
            )
          : await resume(engine, context);
      await writeRun(out, ended.id, store);
      context.terminal.error(`Saved as ${out}\n`);
      // An interrupted or cancelled run keeps its journal, so that it can be resumed.
      const isLeft = ended.status === 'interrupted' || ended.status === 'cancelled';
      if (isLeft) context.terminal.error(`Continue it with: podium run --resume ${out}\n`);
      isWritten = !isLeft;
      return exitCodeOf(ended, context);
    } finally {
      await store.close();
      if (!isDamaged && (isWritten || (await store.count()) === 0)) await rm(journal, { force: true });
    }
  } finally {
    await release();
  }
}

/** Continues the run of the journal. If the run has finished, makes no calls and only prints its events again. */
async function resume(engine: Engine, context: CommandContext): Promise<Run> {
  const { runs, store } = engine;
  await runs.recover();
  const { summaries } = await store.summaries({ limit: 1 });
  const [last] = summaries;
  if (!last) throw new UsageError(NOTHING_LEFT);
  const opened = await runs.open(last.id);
  if (opened?.run.status !== 'finished') return follow(await runs.resume(last.id), engine, context);
  context.terminal.error('This run has finished already. No calls are made.\n');
  const print = printerOf(context);
  for (const event of opened.events) print(event);
  return opened.run;
}

/** Returns a function that prints each event once and ignores repeated events. */
function printerOf({ line, terminal }: CommandContext): (event: StoredEvent) => void {
  const printer = line.has('json') ? null : new ScorePrinter(terminal);
  let shown: Run | null = null;
  return (event) => {
    if (shown && event.seq <= shown.lastSeq) return;
    shown = applyEvent(shown, event);
    if (!printer) terminal.out(`${JSON.stringify(event)}\n`);
    else if (shown && isKnownEvent(event)) printer.print(shown, event);
  };
}

/** Prints the run until it ends. The first signal, such as SIGINT, stops the run and cancels its calls. */
async function follow(live: LiveRun, { runs }: Engine, context: CommandContext): Promise<Run> {
  const { terminal } = context;
  const print = printerOf(context);
  // Events that arrive while `runs.open` reads the earlier ones.
  const early: StoredEvent[] = [];
  let receive = (event: StoredEvent): void => void early.push(event);
  const unsubscribe = live.subscribe((_run, event) => receive(event));
  const stop = () => live.stop();
  if (terminal.interrupted.aborted) stop();
  terminal.interrupted.addEventListener('abort', stop);
  try {
    const opened = await runs.open(live.id);
    for (const event of [...(opened?.events ?? []), ...early]) print(event);
    receive = print;
    const ended = await live.done;
    if (live.notice) terminal.error(`${live.notice.message}\n`);
    return ended;
  } finally {
    unsubscribe();
    terminal.interrupted.removeEventListener('abort', stop);
  }
}

/** The files that a new run may replace. */
const FINISHED: Omit<Replaceable, 'isAnyFile'> = {
  kind: 'a finished run',
  matches: (content) => ['finished', 'failed'].includes(runIn(content)?.status ?? ''),
};

/** The files that a resumed run may replace. */
const UNFINISHED: Omit<Replaceable, 'isAnyFile'> = { kind: 'a run', matches: (content) => runIn(content) !== null };

/** The run in a file with one run. `null`: the file is no such file. */
function runIn(content: Buffer): Run | null {
  const parsed = parseRunValue(parseJson(content.toString('utf8')), new VerifiedTexts());
  return parsed.ok ? foldEvents(parsed.events) : null;
}

async function writeRun(out: string, id: string, store: FileRunStore): Promise<void> {
  await store.flush();
  await writeWholeFile(out, `${JSON.stringify(runValue(await store.read(id)))}\n`, 0o600);
}

function exitCodeOf(run: Run, { terminal }: CommandContext): ExitCode {
  // A finished run counts as done even if the user interrupted the command after the answer.
  if (run.status === 'finished') return EXIT.done;
  if (terminal.interrupted.aborted) return EXIT.interrupted;
  if (isOver(run.status) && run.fault) terminal.error(`${faultText(run.fault)}\n`);
  return run.capReached ? EXIT.incomplete : EXIT.failed;
}
