/**
 * @file One measurement while it runs. Each worker is asked one item after another, and the workers are asked at the same time. The
 * maximum cost of each call is reserved in the budget, and recorded before the call is sent.
 */
import { abortError, FaultError, isAbort, mixSeed, seededRandom, toFault, type Fault } from '../../contract';
import type { MeasuredAnswer, MeasuredItem, MeasurementBody } from '../../contract/measurement/measurement';
import { applyMeasurement, type MeasurementState } from '../../contract/measurement/measurement-state';
import type { AskRoom } from '../../contract/money/ask-worker';
import { BatchBudget } from '../../evaluation/batches/batch-budget';
import { DayBudget } from '../../executor/day-budget';
import { nextTask } from '../ability/next-task';
import type { FamilyFacts } from '../ability/observation';
import { askItem, itemMessages, solveMessages } from './ask-item';
import { familiesOf } from './dataset-families';
import { DatasetTasks } from './dataset-tasks';
import { ledgerId, type LiveMeasurement, type MeasurerParts } from './live';
import { observationsOf } from './observations';

/** After this many failed calls in a row, a worker is not called any more. */
const MOST_FAILURES = 3;
/** After each of this many tasks comes a planted answer, while the plan has checks left. */
const TASKS_BETWEEN_CHECKS = 3;

type Parts = Pick<MeasurerParts, 'store' | 'tasks' | 'datasets' | 'workers' | 'spending' | 'clock' | 'report'>;

export class MeasuringRun implements LiveMeasurement {
  readonly id: string;
  readonly done: LiveMeasurement['done'];
  readonly #parts: Parts;
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<(state: MeasurementState) => void>();
  readonly #budget: BatchBudget;
  readonly #day: DayBudget;
  readonly #datasets: DatasetTasks;
  readonly #families: readonly FamilyFacts[];
  /** The item that each worker is asked, and what its earlier attempts have cost. */
  readonly #underWay = new Map<number, { readonly number: number; usd: number }>();
  #state: MeasurementState;
  /** Events are stored one after another. */
  #writing: Promise<unknown> = Promise.resolve();
  #fault: Fault | null = null;

  constructor(state: MeasurementState, parts: Parts, ended: () => void) {
    const { spending, clock } = parts;
    this.id = state.id;
    this.#state = state;
    this.#parts = parts;
    this.#budget = new BatchBudget({ limit: state.plan.usd, spent: () => this.#settled });
    this.#day = new DayBudget({ runId: ledgerId(state.id), spending, clock, reached: () => undefined });
    this.#datasets = new DatasetTasks(state.plan, parts.datasets);
    this.#families = familiesOf(parts.tasks.families, state.plan);
    this.done = this.#run().finally(ended);
  }

  get state(): MeasurementState {
    return this.#state;
  }

  subscribe(listener: (state: MeasurementState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** US dollars that the budget counts, without the calls in progress, whose maximum costs are reserved. */
  get #settled(): number {
    return this.#state.items.reduce((sum, { item, answer, usd }) => {
      const underWay = answer ? undefined : this.#underWay.get(item.worker);
      return sum + (underWay?.number === item.number ? underWay.usd : usd);
    }, 0);
  }

  async #run(): Promise<{ state: MeasurementState; fault: Fault | null }> {
    try {
      await this.#datasets.open();
      await Promise.all(this.#state.plan.workers.map((_, worker) => this.#measure(worker)));
      await this.#day.close();
      const { signal } = this.#stopping;
      await this.#append({ type: signal.aborted ? 'stopped' : 'finished' });
    } catch (thrown) {
      this.#fault = toFault(thrown);
    }
    return { state: this.#state, fault: this.#fault };
  }

  /** Asks one worker until its tasks are done, or it can't be called. Rejects only if storage fails. */
  async #measure(worker: number): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    for (;;) {
      const item = await this.#next(worker).catch((thrown: unknown) => {
        if (isAbort(thrown)) return null;
        throw thrown;
      });
      if (!item || signal.aborted) return;
      const answer = await this.#ask(item);
      if (!answer) return;
      // Lets the page draw the answer before the next task is chosen and generated, so that neither blocks it for long.
      await this.#parts.clock.sleep(0, signal).catch(() => undefined);
      failures = answer.end === 'failed' ? failures + 1 : 0;
      if (failures === MOST_FAILURES && answer.fault) {
        await this.#append({ type: 'worker-ended', worker, fault: answer.fault });
        return;
      }
    }
  }

  /** The worker's next item. `null`: it has done its part, or the measurement was stopped. Rejects if storage fails. */
  async #next(worker: number): Promise<MeasuredItem | null> {
    const measured = this.#state.plan.workers[worker];
    if (!measured) return null;
    const items = this.#state.items.filter(({ item }) => item.worker === worker);
    const checks = items.filter(({ item }) => item.planted !== undefined).length;
    const tasks = items.length - checks;
    const number = items.length;
    const isCheck =
      checks < measured.checks && (tasks >= measured.tasks || tasks >= (checks + 1) * TASKS_BETWEEN_CHECKS);
    if (!isCheck && tasks >= measured.tasks) return null;
    const seed = mixSeed(this.#state.plan.seed, 'item', number);
    const random = seededRandom(mixSeed(seed, 'choice'));
    const observations = observationsOf(this.#state, this.#families);
    if (isCheck) {
      const next = nextTask(measured.worker.id, observations, this.#parts.tasks.families, random);
      const planted = (checks + mixSeed(this.#state.plan.seed, 'planted', worker)) % 2 === 0;
      return next && { worker, number, ...next, seed, planted };
    }
    let families = this.#families;
    for (;;) {
      const next = nextTask(measured.worker.id, observations, families, random);
      if (!next || this.#parts.tasks.families.some(({ id }) => id === next.family))
        return next && { worker, number, ...next, seed };
      const given = new Set(items.flatMap(({ item }) => (item.family === next.family ? (item.task ?? []) : [])));
      const task = await this.#datasets.next(next.family, given, this.#stopping.signal);
      if (task !== null) return { worker, number, ...next, task, seed };
      // The worker has had all tasks of this dataset.
      families = families.filter(({ id }) => id !== next.family);
    }
  }

  #prepared(item: MeasuredItem) {
    if (item.task !== undefined) {
      const task = this.#datasets.task(item.family, item.task);
      return { task, messages: solveMessages(task) };
    }
    const task = this.#parts.tasks.make(item);
    return { task, messages: itemMessages(item, task) };
  }

  /** @returns `null` if the worker can't be called any more, or the measurement was stopped */
  async #ask(item: MeasuredItem): Promise<MeasuredAnswer | null> {
    const { workers, clock } = this.#parts;
    const { worker, number } = item;
    const measured = this.#state.plan.workers[worker];
    if (!measured) return null;
    let isAsked = false;
    const underWay = { number, usd: 0 };
    this.#underWay.set(worker, underWay);
    const room: AskRoom = async (most) => {
      const reserved = await this.#budget.reserve(String(worker), most, 'The next call', this.#stopping.signal);
      if (reserved.type === 'refused') throw new FaultError(reserved.fault);
      if (reserved.type === 'left') throw abortError();
      return {
        reserve: () => ({ type: 'reserved', reservation: null }),
        announce: async () => {
          await this.#append({ type: 'asked', item, usd: most ?? 0 });
          isAsked = true;
        },
        settle: (_reservation, { cost }) => {
          underWay.usd += cost ?? most ?? 0;
        },
      };
    };
    const answered = async (answer: MeasuredAnswer) => {
      if (isAsked) await this.#append({ type: 'answered', worker, number, answer });
      return answer;
    };
    const lost = { end: 'lost', right: false, readable: true, text: '', ms: 0 } as const;
    try {
      const client = workers(measured.worker);
      const parts = { client, day: this.#day, clock, room };
      const result = await askItem(measured, item, this.#prepared(item), parts, this.#stopping.signal);
      if (result.type === 'answer') return await answered({ ...result.answer, usd: underWay.usd });
      await answered({ ...lost, usd: underWay.usd, fault: result.fault });
      await this.#append({ type: 'worker-ended', worker, fault: result.fault });
      return null;
    } catch (thrown) {
      if (!isAbort(thrown) && !(thrown instanceof FaultError)) throw thrown;
      await answered({ ...lost, usd: underWay.usd });
      if (thrown instanceof FaultError) await this.#append({ type: 'worker-ended', worker, fault: thrown.fault });
      return null;
    } finally {
      this.#underWay.delete(worker);
      this.#budget.release(String(worker));
    }
  }

  #append(body: MeasurementBody): Promise<void> {
    const write = this.#writing.then(async () => {
      const event = { ...body, id: this.id, seq: this.#state.events, at: this.#parts.clock.now() };
      await this.#parts.store.append(event);
      this.#state = applyMeasurement(this.#state, event) ?? this.#state;
      this.#notify();
    });
    this.#writing = write.catch(() => undefined);
    return write;
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(this.#state);
      } catch (thrown) {
        this.#parts.report(thrown);
      }
    }
  }
}
