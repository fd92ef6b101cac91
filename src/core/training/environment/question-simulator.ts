/**
 * @file Simulates whole workflows on one question without a clock, fast enough for training. In other runs, a
 * simulated worker reads the question, its subtask and the earlier answers from a prompt. Here it receives
 * them directly. Answers are cached.
 */
import { recognizeRole } from '../../analysis';
import { mixSeed, type Role } from '../../contract';
import { workOn, type SimulatedProfile } from '../../simulation';
import { readPuzzle, type PosedPuzzle } from '../../tasks';

interface SimulatedStep {
  readonly profile: SimulatedProfile;
  readonly subtask: string;
  /** Indexes of the earlier steps that the worker sees, ascending. */
  readonly access: readonly number[];
}

interface Outcome {
  readonly outputs: readonly string[];
  /** Whether the last step's output is right. */
  readonly correct: boolean;
}

/** A step's output. Outputs have equal ids if their texts and subtasks are equal. */
interface Output {
  readonly id: number;
  readonly text: string;
}

/**
 * One question with one seed. The outputs are the same as in a run by `execute` with this seed, if no worker is
 * overloaded. The seed of each step is `mixSeed(seed, round, step)`.
 */
export class QuestionSimulator {
  readonly question: string;
  readonly puzzle: PosedPuzzle;
  readonly #seed: number;
  readonly #outputs = new Map<string, Output>();
  readonly #ids = new Map<string, number>();
  readonly #verdicts = new Map<number, boolean>();

  /** Throws a `RangeError` when the question is not a puzzle. */
  constructor(question: string, seed: number) {
    const puzzle = readPuzzle(question);
    if (!puzzle) throw new RangeError('The question is not a puzzle.');
    this.question = question;
    this.puzzle = withCache(puzzle);
    this.#seed = seed;
  }

  /** Number of step outputs that were computed rather than found in the cache. */
  get computedSteps(): number {
    return this.#outputs.size;
  }

  /** @param round 0-based. Steps see only earlier steps of the same round */
  run(steps: readonly SimulatedStep[], round = 0): Outcome {
    const outputs: Output[] = [];
    for (const index of steps.keys()) outputs.push(this.#outputOf(steps, outputs, index, round));
    const last = outputs.at(-1);
    return { outputs: outputs.map(({ text }) => text), correct: last !== undefined && this.#isCorrect(last) };
  }

  #outputOf(steps: readonly SimulatedStep[], outputs: readonly Output[], index: number, round: number): Output {
    const step = steps[index];
    if (!step) throw new RangeError(`There is no step ${index + 1}.`);
    const { profile, subtask, access } = step;
    // The answer depends on the numbers, subtasks and outputs of the steps that the worker sees.
    const seen = access.map((at) => `${at}:${outputs[at]?.id ?? ''}`).join(' ');
    const key = `${profile.id}|${round}|${index}|${subtask}|${seen}`;
    const known = this.#outputs.get(key);
    if (known) return known;
    const earlier = access.map((at) => {
      const task = steps[at]?.subtask ?? '';
      return { number: at + 1, role: cachedRole(task), subtask: task, response: outputs[at]?.text ?? '' };
    });
    const assignment = { task: this.question, earlier, subtask, role: cachedRole(subtask) };
    const text = workOn(profile, this.puzzle, assignment, mixSeed(this.#seed, round, index));
    const output = { id: this.#idOf(`${subtask}\n${text}`), text };
    this.#outputs.set(key, output);
    return output;
  }

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
