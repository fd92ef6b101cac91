/**
 * @file Simulates whole workflows on one question without a clock, fast enough for training. In other runs, a
 * simulated worker reads the question, its subtask and the earlier answers from a prompt. Here it receives
 * them directly. Answers are cached.
 */
import { recognizeRole } from '../../analysis/roles';
import { mixSeed, type Role, type Settlement, type Step, type StepVerdict } from '../../contract';
import { readVerdicts } from '../../contract/workflow/read-verdicts';
import { checkedAnswers, settledByChecks } from '../../executor/settled-by-checks';
import { readPuzzle } from '../../tasks';
import type { PosedPuzzle } from '../../tasks/posed';
import { workAsUsual, type HabitualWorker } from './habitual-work';

/** A step and its worker. `worker` is the worker's index in the pool. */
export interface SimulatedStep extends Step, HabitualWorker {}

/**
 * What happens to settled steps, see `src/core/executor/settled-by-checks.ts`. `skipped`: they are not called. `asked`: checks are asked for
 * verdicts, but no step is skipped. `ignored`: checks are not asked either.
 */
export type Settling = 'skipped' | 'asked' | 'ignored';

interface Outcome {
  readonly outputs: readonly string[];
  /** Whether the last step's output is right. */
  readonly correct: boolean;
  /** For each step, why it was not called. `null`: it was called. */
  readonly settled: readonly (Settlement | null)[];
}

/** A step's output. Outputs have equal ids if their texts and subtasks are equal. */
interface Output {
  readonly id: number;
  readonly text: string;
  /** Absent: the step is no check, or no verdicts were asked for. */
  readonly verdicts?: readonly StepVerdict[];
}

/** A step with what came of it so far. */
interface PlayedStep {
  readonly step: SimulatedStep;
  played: Output | null;
  output: string | null;
  verdicts?: readonly StepVerdict[] | undefined;
  settled?: Settlement;
}

/**
 * One question with one seed. For workers without habits, the outputs are the same as in a run by `execute` with this seed, if no
 * worker is overloaded. The seed of each step is `mixSeed(seed, round, step)`.
 */
export class QuestionSimulator {
  readonly question: string;
  readonly puzzle: PosedPuzzle;
  /** From 0 to 1. */
  readonly difficulty: number;
  readonly #seed: number;
  readonly #outputs = new Map<string, Output>();
  readonly #ids = new Map<string, number>();
  readonly #verdicts = new Map<number, boolean>();

  /** Throws a `RangeError` when the question is not a puzzle. */
  constructor(question: string, seed: number, difficulty = 0.5) {
    const puzzle = readPuzzle(question);
    if (!puzzle) throw new RangeError('The question is not a puzzle.');
    this.question = question;
    this.puzzle = withCache(puzzle);
    this.difficulty = difficulty;
    this.#seed = seed;
  }

  /** Number of step outputs that were computed rather than found in the cache. */
  get computedSteps(): number {
    return this.#outputs.size;
  }

  /** @param round 0-based. Steps see only earlier steps of the same round */
  run(steps: readonly SimulatedStep[], round = 0, settling: Settling = 'ignored'): Outcome {
    const all: PlayedStep[] = steps.map((step) => ({ step, played: null, output: null }));
    for (const [index, each] of all.entries()) {
      const settled =
        settling === 'skipped' && mayBeSettled(all, index) ? settledByChecks(all, index, this.#isSame) : null;
      if (settled) {
        const text = all[settled.from]?.output ?? '';
        each.settled = settled;
        each.played = { id: this.#idOf(`${each.step.subtask}\n${text}`), text };
      } else {
        each.played = this.#outputOf(all, index, round, settling !== 'ignored');
        each.verdicts = each.played.verdicts;
      }
      each.output = each.played.text;
    }
    const last = all.at(-1)?.played;
    return {
      outputs: all.map(({ output }) => output ?? ''),
      correct: last !== undefined && last !== null && this.#isCorrect(last),
      settled: all.map(({ settled }) => settled ?? null),
    };
  }

  #outputOf(all: readonly PlayedStep[], index: number, round: number, asks: boolean): Output {
    const step = all[index]?.step;
    if (!step) throw new RangeError(`There is no step ${index + 1}.`);
    const { profile, subtask, access } = step;
    // The answer depends on the numbers, subtasks, workers and outputs of the steps that the worker sees.
    const seen = access.map((at) => `${at}:${all[at]?.step.worker}:${all[at]?.played?.id ?? ''}`).join(' ');
    const key = `${profile.id}|${round}|${index}|${asks}|${subtask}|${seen}`;
    const known = this.#outputs.get(key);
    if (known) return known;
    const earlier = access.map((at) => {
      const task = all[at]?.step.subtask ?? '';
      return { number: at + 1, role: cachedRole(task), subtask: task, response: all[at]?.output ?? '' };
    });
    const answers = asks
      ? checkedAnswers(
          all.map((each) => each.step),
          index,
        )
      : [];
    const asksVerdict = answers.length > 0;
    const text = workAsUsual(step, {
      puzzle: this.puzzle,
      difficulty: this.difficulty,
      assignment: { task: this.question, earlier, subtask, role: cachedRole(subtask), asksVerdict },
      seed: mixSeed(this.#seed, round, index),
      authorOf: (number) => all[number - 1]?.step.habits,
    });
    const verdicts = asksVerdict ? { verdicts: readVerdicts(text, answers) } : {};
    const output = { id: this.#idOf(`${subtask}\n${text}`), text, ...verdicts };
    this.#outputs.set(key, output);
    return output;
  }

  /** Whether two outputs give the same answer to the puzzle. Runs compare outputs with the graders, which give the same result. */
  readonly #isSame = (one: string, other: string): boolean => {
    const answer = this.puzzle.readAnswer(one);
    return answer !== null && answer === this.puzzle.readAnswer(other);
  };

  #idOf(text: string): number {
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }

  #isCorrect({ id, text }: Output): boolean {
    const known = this.#verdicts.get(id);
    if (known !== undefined) return known;
    const { correct } = this.puzzle.check(text);
    this.#verdicts.set(id, correct);
    return correct;
  }
}

/** Whether a step sees a check with verdicts or a settled step. Without either, it is called, so nothing must be compared. */
function mayBeSettled(all: readonly PlayedStep[], index: number): boolean {
  const { access = [] } = all[index]?.step ?? {};
  return access.some((at) => all[at]?.verdicts !== undefined || all[at]?.settled !== undefined);
}

const roles = new Map<string, Role>();

/** The built-in Conductors use only a few subtasks, so a small cache is enough. */
function cachedRole(subtask: string): Role {
  const known = roles.get(subtask);
  if (known) return known;
  if (roles.size > 1_000) roles.clear();
  const role = recognizeRole(subtask);
  roles.set(subtask, role);
  return role;
}

function withCache(puzzle: PosedPuzzle): PosedPuzzle {
  return { ...puzzle, readAnswer: memoize(puzzle.readAnswer), check: memoize(puzzle.check) };
}

function memoize<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = read(text);
    known.set(text, value);
    return value;
  };
}
