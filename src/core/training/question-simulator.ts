/**
 * @file Plays whole workflows on one question without a clock, fast enough for training: each step is handed to the simulated
 * worker as the executor would word it, and what a worker answered to the same words is not worked out twice.
 */
import { recogniseRole } from '../analysis';
import { mixSeed, type Role } from '../contract';
import { workOn, type SimulatedProfile } from '../simulation';
import { readPuzzle, type PosedPuzzle } from '../tasks';

/** A step of a workflow whose worker is known. */
export interface SimulatedStep {
  readonly profile: SimulatedProfile;
  readonly subtask: string;
  /** As in `Step`: 0-based, ascending. */
  readonly access: readonly number[];
}

/** What came of a workflow. */
export interface Outcome {
  readonly outputs: readonly string[];
  /** Whether the last step's output is right. */
  readonly correct: boolean;
}

/** A step's output, numbered so that equal words have equal numbers. */
interface Output {
  readonly id: number;
  readonly text: string;
}

/**
 * One question under one seed. The same steps always give the outputs that `execute` gives for a run with this seed
 * (`mixSeed(seed, round, step)` for each step; workers that are never overloaded).
 */
export class QuestionSimulator {
  readonly question: string;
  readonly puzzle: PosedPuzzle;
  readonly #seed: number;
  readonly #outputs = new Map<string, Output>();
  readonly #ids = new Map<string, number>();
  readonly #verdicts = new Map<number, boolean>();

  /** Throws a `RangeError` for a question that is no puzzle. */
  constructor(question: string, seed: number) {
    const puzzle = readPuzzle(question);
    if (!puzzle) throw new RangeError('The question is not a puzzle.');
    this.question = question;
    this.puzzle = remembering(puzzle);
    this.#seed = seed;
  }

  /** How many different pieces of work it has seen. */
  get worked(): number {
    return this.#outputs.size;
  }

  /** @param round 0-based. Steps see only their own round. */
  run(steps: readonly SimulatedStep[], round = 0): Outcome {
    const outputs: Output[] = [];
    for (const index of steps.keys()) outputs.push(this.#work(steps, outputs, index, round));
    const last = outputs.at(-1);
    return { outputs: outputs.map(({ text }) => text), correct: last !== undefined && this.#isCorrect(last) };
  }

  #work(steps: readonly SimulatedStep[], outputs: readonly Output[], index: number, round: number): Output {
    const step = steps[index];
    if (!step) throw new RangeError(`There is no step ${index + 1}.`);
    const { profile, subtask, access } = step;
    // What it sees decides what it does, so it is the key: the numbers told, and the subtasks and outputs behind them.
    const seen = access.map((at) => `${at}:${outputs[at]?.id ?? ''}`).join(' ');
    const key = `${profile.id}|${round}|${index}|${subtask}|${seen}`;
    const known = this.#outputs.get(key);
    if (known) return known;
    const earlier = access.map((at) => {
      const task = steps[at]?.subtask ?? '';
      return { number: at + 1, role: roleOf(task), subtask: task, response: outputs[at]?.text ?? '' };
    });
    const assignment = { task: this.question, earlier, subtask, role: roleOf(subtask) };
    const text = workOn(profile, this.puzzle, assignment, mixSeed(this.#seed, round, index));
    const output = { id: this.#idOf(`${subtask}\n${text}`), text };
    this.#outputs.set(key, output);
    return output;
  }

  #idOf(words: string): number {
    const id = this.#ids.get(words) ?? this.#ids.size;
    this.#ids.set(words, id);
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

/** The built-in Conductors use few subtasks, so each is read once. */
function roleOf(subtask: string): Role {
  const known = roles.get(subtask);
  if (known) return known;
  if (roles.size > 1_000) roles.clear();
  const role = recogniseRole(subtask);
  roles.set(subtask, role);
  return role;
}

/** The same puzzle; what it read and checked before it knows. */
function remembering(puzzle: PosedPuzzle): PosedPuzzle {
  return { ...puzzle, readAnswer: remember(puzzle.readAnswer), check: remember(puzzle.check) };
}

function remember<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = read(text);
    known.set(text, value);
    return value;
  };
}
