/**
 * @file Reads a plan while it is being written, so that a step can start before the plan is finished.
 *
 * The reader understands only the canonical form, which `workflowGrammar` enforces. The lists are in the paper's order: workers,
 * subtasks, access. A step is final at the end of its access entry. Exceptions:
 * - The first step is final at the end of its subtask if it can't see earlier rounds, because then it sees nothing.
 * - Every step is final at the end of its subtask if workers and access are given (`skeleton`).
 */
import { checkWorkflow, type Step, type WorkflowLimits } from '../contract';
import { readString } from './parse/strings';

export interface PlanReaderOptions extends WorkflowLimits {
  /** Fixed workers and access lists. The model writes only the subtasks. */
  readonly skeleton?: { readonly steps: readonly Pick<Step, 'worker' | 'access'>[] };
}

/** A step that later text cannot change. */
export interface KnownStep {
  readonly index: number;
  readonly step: Step;
}

export interface PlanReader {
  /**
   * Reads the next piece of the plan's text and returns the steps that became final, in order. If the text violates
   * the grammar, reading ends and no further steps are reported. Takes time linear in the length of the piece.
   */
  push(delta: string): readonly KnownStep[];
}

export function createPlanReader(options: PlanReaderOptions): PlanReader {
  return new CanonicalReader(options);
}

/** Where the reader is: in the thought, in a list, in a subtask, in an access entry, or after all relevant text. */
type Place = 'thought' | 'workers' | 'subtasks' | 'subtask' | 'entry' | 'over';

const OPENING = 'model_id = [';
const BEFORE_SUBTASKS = '\nsubtasks = [';
const BEFORE_ACCESS = '\naccess_list = [';
/**
 * Maximum length of the list of workers and of an access entry, in UTF-16 units. Even an entry that lists every step of the
 * longest template is shorter.
 */
const LONGEST_ENTRY = 200;

class CanonicalReader implements PlanReader {
  #place: Place = 'thought';
  /** The part read so far: a line of the thought, a list of workers, a subtask with its quotes, or an entry. */
  #piece = '';
  /** Fixed text that must come next. */
  #expected = '';
  #escaped = false;
  #workers: number[] = [];
  #subtasks: string[] = [];
  #entries = 0;
  #known: KnownStep[] = [];

  constructor(readonly options: PlanReaderOptions) {}

  push(delta: string): readonly KnownStep[] {
    this.#known = [];
    let begin = 0;
    for (let index = 0; index < delta.length && this.#place !== 'over'; index++) {
      // Subtasks may be long, so their characters are not copied one by one.
      if (this.#place === 'subtask' && !this.#closesSubtask(delta.charAt(index))) continue;
      if (this.#place === 'subtask') {
        this.#piece += delta.slice(begin, index + 1);
        this.#endSubtask();
      } else {
        this.#read(delta.charAt(index));
      }
      begin = index + 1;
    }
    if (this.#place === 'subtask') this.#piece += delta.slice(begin);
    return this.#known;
  }

  #read(character: string): void {
    if (this.#expected !== '') {
      if (character !== this.#expected.charAt(0)) return this.#stop();
      this.#expected = this.#expected.slice(1);
      return;
    }
    switch (this.#place) {
      case 'thought':
        return this.#readThought(character);
      case 'workers':
        return this.#readWorker(character);
      case 'subtasks':
        return this.#readBetweenSubtasks(character);
      case 'entry':
        return this.#readEntry(character);
      case 'subtask':
      case 'over':
        return;
      default:
        return this.#place satisfies never;
    }
  }

  /** A thought contains no brackets, so the first bracket opens the list of workers. */
  #readThought(character: string): void {
    if (character === '\n') this.#piece = '';
    else if (this.#piece.length <= OPENING.length) this.#piece += character;
    if (character !== '[') return;
    if (this.#piece !== OPENING) return this.#stop();
    this.#piece = '';
    this.#place = 'workers';
  }

  #readWorker(character: string): void {
    if (character !== ']') {
      this.#piece += character;
      if (this.#piece.length > LONGEST_ENTRY) this.#stop();
      return;
    }
    const workers = integers(this.#piece);
    this.#piece = '';
    if (!workers || workers.length === 0 || !this.#fits(workers)) return this.#stop();
    this.#workers = workers;
    this.#expected = BEFORE_SUBTASKS;
    this.#place = 'subtasks';
  }

  /** Whether a plan with these workers can be valid. */
  #fits(workers: readonly number[]): boolean {
    const { skeleton } = this.options;
    if (skeleton && workers.join() !== skeleton.steps.map((step) => step.worker).join()) return false;
    const steps = workers.map((worker) => ({ worker, subtask: 'any', access: [] }));
    return checkWorkflow({ steps }, this.options) === null;
  }

  #readBetweenSubtasks(character: string): void {
    const done = this.#subtasks.length;
    if (character === ',' && done > 0 && done < this.#workers.length) {
      this.#expected = ' ';
    } else if (character === '"' && (done === 0 || this.#piece === ',')) {
      this.#place = 'subtask';
    } else if (character === ']' && done === this.#workers.length && !this.options.skeleton) {
      this.#expected = BEFORE_ACCESS;
      this.#place = 'entry';
    } else {
      return this.#stop();
    }
    this.#piece = character === ']' ? '' : character;
  }

  #closesSubtask(character: string): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (character === '\\') this.#escaped = true;
    else return character === '"';
    return false;
  }

  #endSubtask(): void {
    const index = this.#subtasks.length;
    const string = readString(this.#piece, 0, 0, { steps: 0 });
    if (!string || string.end !== this.#piece.length || string.value.trim() === '') return this.#stop();
    this.#subtasks.push(string.value);
    this.#piece = '';
    this.#place = 'subtasks';
    const given = this.options.skeleton?.steps[index]?.access;
    if (given) this.#report(index, given);
    else if (index === 0 && !this.options.showsEarlier) this.#report(0, []);
  }

  #readEntry(character: string): void {
    this.#piece += character;
    if (this.#piece.length > LONGEST_ENTRY) return this.#stop();
    if (this.#piece.length === 1 || character !== (this.#piece.startsWith('[') ? ']' : '"')) return;
    const index = this.#entries++;
    const access = readEntry(this.#piece, index);
    if (!access) return this.#stop();
    const seesEarlier = this.options.showsEarlier === true && this.#piece === '"all"';
    if (index > 0 || this.options.showsEarlier) this.#report(index, access, seesEarlier);
    if (this.#entries === this.#workers.length) return this.#stop();
    this.#piece = '';
    this.#expected = ', ';
  }

  #report(index: number, access: readonly number[], seesEarlier = false): void {
    const worker = this.#workers[index] ?? 0;
    const subtask = this.#subtasks[index] ?? '';
    this.#known.push({ index, step: { worker, subtask, access, ...(seesEarlier ? { seesEarlier } : {}) } });
  }

  #stop(): void {
    this.#place = 'over';
    this.#piece = '';
  }
}

/** @returns `null` if the text is not a canonical list of integers */
function integers(text: string): number[] | null {
  if (text === '') return [];
  return /^\d{1,9}(?:, \d{1,9})*$/.test(text) ? text.split(', ').map(Number) : null;
}

/** @returns `null` unless the entry is `"all"` or an ascending list of steps before this step */
function readEntry(text: string, index: number): readonly number[] | null {
  if (text === '"all"') return Array.from({ length: index }, (_, earlier) => earlier);
  const seen = text.startsWith('[') ? integers(text.slice(1, -1)) : null;
  const ascending = seen?.every((step, place) => step < index && step > (seen[place - 1] ?? -1));
  return seen && ascending ? seen : null;
}
