/** @file The tables of the Compare page: the results and settings of each run, and the differences from the first (base) run. */
import {
  isDefaultPrompt,
  judgeRun,
  RUN_SETTINGS,
  type PoolWorker,
  type Run,
  type RunSettingName,
} from '../../core/contract';
import { settingDifferences, SETTING_KEYS, type SettingKey } from '../../core/analysis/run-differences';
import { runCostWord } from '../shared/run-cost-word';
import { SETTING_WORDS, valueWords } from '../shared/setting-words';
import { count, duration, listed, money, plural } from '../ui/figures';

/** The letters that name the compared runs, as shown above their columns. */
const LETTERS = ['A', 'B', 'C', 'D'] as const;

export function letterOf(index: number): string {
  return LETTERS[index] ?? String(index + 1);
}

export interface ComparedCell {
  readonly text: string;
  /** The difference from the first run, such as `+0.4 s`. `''`: none is shown. */
  readonly change: string;
  readonly differs: boolean;
}

export interface ComparedLine {
  readonly name: string;
  readonly cells: readonly ComparedCell[];
  /** Whether all runs have the same value in this line. */
  readonly isSame: boolean;
}

/** One line for each result: status, grade, reward, cost, time, tokens, calls and steps. */
export function resultLines(runs: readonly Run[]): ComparedLine[] {
  return [
    wordLine('Status', runs, statusWord),
    wordLine('Grade', runs, gradeWord),
    wordLine('Reward', runs, (run) => String(judgeRun(run).reward ?? '–')),
    numberLine('Cost', runs, (run) => run.spent.usd, {
      text: (run) => runCostWord({ id: run.id, ...run.spent }),
      change: money,
      isExact: ({ spent }) => spent.unpriced === 0,
    }),
    numberLine('Time', runs, (run) => run.time, { text: (run) => duration(run.time), change: duration }),
    numberLine('Tokens', runs, tokensOf, {
      text: (run) => `${run.spent.estimated ? 'about ' : ''}${count(tokensOf(run))}`,
      change: count,
    }),
    numberLine('Calls', runs, (run) => run.spent.calls, { text: (run) => count(run.spent.calls), change: count }),
    numberLine('Steps', runs, stepsOf, {
      text: (run) =>
        `${count(stepsOf(run))}${run.rounds.length > 1 ? ` in ${plural(run.rounds.length, 'round')}` : ''}`,
      change: count,
    }),
  ];
}

const tokensOf = ({ spent }: Run) => spent.input + spent.output;
const stepsOf = ({ rounds }: Run) => rounds.reduce((sum, { steps }) => sum + steps.length, 0);

function wordLine(name: string, runs: readonly Run[], word: (run: Run) => string): ComparedLine {
  const [first = '', ...rest] = runs.map(word);
  const cells = [first, ...rest].map((text) => ({ text, change: '', differs: text !== first }));
  return { name, cells, isSame: !cells.some(({ differs }) => differs) };
}

interface NumberWords {
  readonly text: (run: Run) => string;
  /** Words for the size of a difference. */
  readonly change: (by: number) => string;
  /**
   * Whether the number of a run is exact. The size of a difference is shown only between two exact numbers.
   * Absent: the numbers of all runs are exact.
   */
  readonly isExact?: (run: Run) => boolean;
}

function numberLine(name: string, runs: readonly Run[], value: (run: Run) => number, words: NumberWords): ComparedLine {
  const [base] = runs;
  const cells = runs.map((run) => {
    const text = words.text(run);
    if (!base) return { text, change: '', differs: false };
    const by = value(run) - value(base);
    const size = words.change(Math.abs(by));
    const isExact = !words.isExact || (words.isExact(run) && words.isExact(base));
    // Differences too small to be shown count as none.
    const differs = (by !== 0 || !isExact) && text !== words.text(base);
    if (!isExact) return { text, change: '', differs };
    return { text, change: differs ? `${by > 0 ? '+' : '−'}${size}` : '', differs };
  });
  return { name, cells, isSame: !cells.some(({ differs }) => differs) };
}

/** The state of a run in one word. */
export function statusWord({ status }: Pick<Run, 'status'>): string {
  switch (status) {
    case 'running':
      return 'Running';
    case 'finished':
      return 'Finished';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Stopped';
    case 'interrupted':
      return 'Interrupted';
    default:
      return status satisfies never;
  }
}

/**
 * The words above the answer of a run, and whether the answer differs from that of the base run. `text` is empty if no words are
 * needed. A missing answer does not count as a difference while the run without the answer is still running.
 */
export function answerWords(run: Run, base: Run): { readonly text: string; readonly differs: boolean } {
  if (run.answer === null) {
    if (run.status === 'running') return { text: 'No answer yet', differs: false };
    return { text: 'No answer', differs: base.answer !== null };
  }
  if (run.answer === base.answer) return { text: '', differs: false };
  if (base.answer !== null) return { text: 'Another answer', differs: true };
  if (base.status === 'running') return { text: '', differs: false };
  return { text: `No answer in ${letterOf(0)}`, differs: true };
}

function gradeWord({ grade }: Run): string {
  if (!grade || grade.correct === null) return 'Not graded';
  return `${grade.correct ? 'Right' : 'Wrong'}${grade.imported ? ', before import' : ''}`;
}

/** One line for each setting. The settings that differ come first. `[]` without runs. */
export function settingLines(runs: readonly Run[]): ComparedLine[] {
  const [base] = runs;
  if (!base) return [];
  const differing = runs.map((run) => new Set(settingDifferences(base, run)));
  const lines = SETTING_KEYS.map((key): ComparedLine => {
    const { name, value } = isInTable(key) ? tableLine(key) : OTHER_SETTINGS[key];
    const cells = runs.map((run, index) => ({
      text: value(run, base),
      change: '',
      differs: differing[index]?.has(key) === true,
    }));
    return { name, cells, isSame: !cells.some(({ differs }) => differs) };
  });
  return [...lines.filter(({ isSame }) => !isSame), ...lines.filter(({ isSame }) => isSame)];
}

interface SettingLine {
  readonly name: string;
  readonly value: (run: Run, base: Run) => string;
}

/** The settings whose words are not in the table of settings. */
const OTHER_SETTINGS: Readonly<Record<Exclude<SettingKey, RunSettingName>, SettingLine>> = {
  conductor: {
    name: 'Conductor',
    value: ({ conductor: { label, model } }) => (model && model !== label ? `${label}, ${model}` : label),
  },
  pool: { name: 'Workers', value: ({ pool }, base) => poolWords(pool, base.pool) },
  caps: {
    name: 'Limits',
    value: ({ caps: { rounds, calls, tokens, usd } }) =>
      [
        plural(rounds, 'round'),
        plural(calls, 'call'),
        ...(tokens === null ? [] : [plural(tokens, 'token')]),
        ...(usd === null ? [] : [money(usd)]),
      ].join(', '),
  },
  maxSteps: { name: 'Max steps per plan', value: ({ maxSteps }) => count(maxSteps) },
  sampling: {
    name: 'Answers of workers',
    value: ({ sampling: { temperature, maxTokens, topP, topK, presencePenalty, reasoning, seed } }) =>
      [
        `temperature ${temperature}`,
        `${count(maxTokens)} output tokens at most`,
        ...(topP === undefined ? [] : [`top-p ${topP}`]),
        ...(topK === undefined ? [] : [`top-k ${topK}`]),
        ...(presencePenalty === undefined ? [] : [`presence penalty ${presencePenalty}`]),
        ...(reasoning === undefined ? [] : [`reasoning ${reasoning}`]),
        ...(seed === undefined ? [] : [`seed ${seed}`]),
      ].join(', '),
  },
  leaveOutFailed: {
    name: 'After a failed attempt',
    value: ({ leaveOutFailed }) => (leaveOutFailed === true ? 'Continue with the others' : 'Stop'),
  },
  skipSettled: {
    name: SETTING_WORDS.skipSettled.label,
    value: ({ skipSettled }) => valueWords('skipSettled', skipSettled === true),
  },
  trust: {
    name: 'Trust in checks',
    value: ({ trust }) =>
      !trust ? 'Each check' : trust.goesOn ? 'Goes on after each check' : `From ${Math.round(100 * trust.bound)} %`,
  },
  alone: {
    name: SETTING_WORDS.aloneShare.label,
    value: ({ alone, pool }) => {
      const worker = pool.find(({ id }) => id === alone?.worker);
      return alone && worker
        ? `${worker.name}, ${valueWords('aloneAnswers', alone.equalCost ? 'equal-cost' : 'once')}`
        : 'No';
    },
  },
  prompt: {
    name: 'Conductor’s prompt',
    value: ({ prompt }) => (!prompt || isDefaultPrompt(prompt) ? 'Default' : 'Edited'),
  },
  seed: { name: 'Seed', value: ({ seed }) => String(seed) },
};

function isInTable(key: SettingKey): key is RunSettingName {
  return key in RUN_SETTINGS;
}

function tableLine(key: RunSettingName): SettingLine {
  return { name: SETTING_WORDS[key].label, value: (run) => valueWords(key, run[key]) };
}

/** Maximum number of workers that a cell names. */
const MOST_NAMED = 12;

/** The names of the workers. Marks a worker if the first run has a worker with the same id and another setup. */
function poolWords(pool: readonly PoolWorker[], base: readonly PoolWorker[]): string {
  if (pool.length === 0) return 'None';
  const named = pool.slice(0, MOST_NAMED).map((worker) => {
    const before = base.find(({ id }) => id === worker.id);
    const hasChanged = before !== undefined && JSON.stringify(before) !== JSON.stringify(worker);
    return hasChanged ? `${worker.name} (different setup)` : worker.name;
  });
  const left = pool.length - named.length;
  return left > 0 ? `${named.join(', ')} and ${count(left)} more` : listed(named);
}
