/** @file The workflows of the executor benchmark, and the workers that they call. A contender is Podium or an alternative. */
export interface BenchStep {
  readonly access: readonly number[];
  /** How long the worker takes, ms. */
  readonly duration: number;
}

export interface BenchWorkflow {
  readonly name: string;
  readonly steps: readonly BenchStep[];
}

/** The workers that a contender calls. */
export interface BenchWorkers {
  call(step: number, inputs: readonly string[]): Promise<string>;
  stream(step: number, inputs: readonly string[]): AsyncIterable<string>;
}

export interface Contender {
  readonly name: string;
  /** Runs the workflow once and returns the last step's output. */
  run(workflow: BenchWorkflow, workers: BenchWorkers): Promise<string>;
  /** Like `run`, with streaming workers. Passes every token to `seen`. Absent: the contender cannot stream. */
  stream?(workflow: BenchWorkflow, workers: BenchWorkers, seen: (token: string) => void): Promise<string>;
}

export function chain(duration: number): BenchWorkflow {
  return {
    name: 'chain of 5',
    steps: [0, 1, 2, 3, 4].map((index) => ({ access: index === 0 ? [] : [index - 1], duration })),
  };
}

export function fan(duration: number): BenchWorkflow {
  const solvers = [0, 1, 2, 3].map(() => ({ access: [], duration }));
  return { name: 'fan of 4', steps: [...solvers, { access: [0, 1, 2, 3], duration }] };
}

export function diamond(duration: number): BenchWorkflow {
  return {
    name: 'diamond',
    steps: [
      { access: [], duration },
      { access: [0], duration },
      { access: [0], duration },
      { access: [1, 2], duration },
    ],
  };
}

/**
 * Two parallel branches. One has a short and then a long step, the other a long and then a short step. An executor that runs
 * level by level waits for the slower step of each level.
 */
export function unequal(): BenchWorkflow {
  return {
    name: 'unequal branches',
    steps: [
      { access: [], duration: 20 },
      { access: [], duration: 80 },
      { access: [0], duration: 80 },
      { access: [1], duration: 20 },
      { access: [2, 3], duration: 20 },
    ],
  };
}

export function single(): BenchWorkflow {
  return { name: 'one step', steps: [{ access: [], duration: 0 }] };
}

/** Workers that wait with a timer and record how long each call took. */
export class MeasuredWorkers implements BenchWorkers {
  readonly #workflow: BenchWorkflow;
  readonly #durations: number[] = [];
  readonly #tokens: number;

  constructor(workflow: BenchWorkflow, tokens = 0) {
    this.#workflow = workflow;
    this.#tokens = tokens;
  }

  async call(step: number): Promise<string> {
    const duration = this.#workflow.steps[step]?.duration ?? 0;
    if (duration > 0) {
      const before = performance.now();
      await new Promise((done) => setTimeout(done, duration));
      this.#durations[step] = performance.now() - before;
    }
    return 'output';
  }

  async *stream(): AsyncGenerator<string> {
    for (let token = 0; token < this.#tokens; token++) yield 'token ';
  }

  /** Length of the longest path through the measured calls, ms. */
  longestPath(): number {
    const ends: number[] = [];
    for (const [index, step] of this.#workflow.steps.entries()) {
      const ready = Math.max(0, ...step.access.map((seen) => ends[seen] ?? 0));
      ends.push(ready + (this.#durations[index] ?? 0));
    }
    return Math.max(...ends);
  }
}
