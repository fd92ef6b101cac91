/**
 * @file Creates a dataset from a table of recorded answers or scores, such as a benchmark of LLM routers.
 * Skips unusable outcomes and reports the reasons.
 */
import { domainOf } from '../../analysis/domain';
import {
  GRADERS,
  isConfidentialDataset,
  isConfidentialRow,
  type Dataset,
  type EvaluationTask,
  type GraderKind,
  type RecordedAnswer,
  type TablePart,
} from '../../contract';
import { describeTasks } from '../datasets/describe-tasks';
import type { RecordedMap } from './recorded-map';
import { readRecordedRow, type RecordedRow } from './recorded-row';
import { withRecordedScore } from '../../graders/recorded-score';

/**
 * What decides whether an answer is correct. `score`: the recorded score must be at least `passMark`. The
 * text of the answer is not checked. `answer`: a grader grades the text of the recorded answer.
 */
export type RecordedGrading =
  { readonly by: 'score'; readonly passMark: number } | { readonly by: 'answer'; readonly grader: GraderKind };

export interface RecordedTableOptions {
  readonly map: RecordedMap;
  readonly grading: RecordedGrading;
}

/** Why outcomes were skipped. */
export interface SkippedOutcomes {
  /** The reason, in a sentence. */
  readonly message: string;
  /** Number of the first row with this problem, from 1. */
  readonly row: number;
  /** Number of rows with this problem. */
  readonly rows: number;
}

export interface RecordedTable {
  /** The tasks, each with its recorded answers. */
  readonly tasks: readonly EvaluationTask[];
  /** The names of the workers, in the order of their first rows. */
  readonly workers: readonly string[];
  /** Why outcomes were skipped, once for each reason, in the order of the first rows. */
  readonly problems: readonly SkippedOutcomes[];
  /** Whether any row belongs to a confidential dataset. If so, no task of the table may leave this browser. */
  readonly isConfidential: boolean;
}

/** The dataset of a table's tasks, without its id. @param addedAt ms since the epoch */
export function recordedDataset(
  { tasks, workers, isConfidential }: Pick<RecordedTable, 'tasks' | 'workers' | 'isConfidential'>,
  { name, source, addedAt }: Pick<Dataset, 'name' | 'source' | 'addedAt'>,
): Omit<Dataset, 'id'> {
  const dataset = { name, source, ...describeTasks(tasks), recordedWorkers: workers, isConfidential, addedAt };
  return { ...dataset, isConfidential: isConfidentialDataset(dataset) };
}

interface KnownTask {
  readonly task: EvaluationTask;
  /** By worker. */
  readonly recorded: Map<string, RecordedAnswer>;
}

/** Reads a table in parts. */
export class RecordedTableReader {
  readonly #options: RecordedTableOptions;
  /** By group and question. */
  readonly #byQuestion = new Map<string, KnownTask>();
  readonly #byId = new Map<string, KnownTask>();
  readonly #workers = new Set<string>();
  /** By message. */
  readonly #problems = new Map<string, SkippedOutcomes>();
  #isConfidential = false;

  constructor(options: RecordedTableOptions) {
    this.#options = options;
  }

  add({ rows, problems }: Pick<TablePart, 'rows' | 'problems'>): void {
    for (const { row, message } of problems) this.#skip(row, message);
    for (const { row, value } of rows) {
      this.#isConfidential ||= isConfidentialRow(value);
      const read = readRecordedRow(value, this.#options.map);
      const found = read.outcomes.flatMap((outcome) => this.#add(outcome) ?? []);
      for (const message of new Set([...read.problems, ...found])) this.#skip(row, message);
    }
  }

  finish(): RecordedTable {
    return {
      tasks: [...this.#byQuestion.values()].map(({ task, recorded }) => ({
        ...task,
        recorded: [...recorded.values()],
      })),
      workers: [...this.#workers],
      problems: [...this.#problems.values()].sort((one, other) => one.row - other.row),
      isConfidential: this.#isConfidential,
    };
  }

  #skip(row: number, message: string): void {
    const { row: first, rows } = this.#problems.get(message) ?? { row, rows: 0 };
    this.#problems.set(message, { message, row: Math.min(first, row), rows: rows + 1 });
  }

  /** Adds an outcome. @returns the reason why it is skipped. `null`: it is used */
  #add(outcome: RecordedRow): string | null {
    const gap = this.#gap(outcome);
    if (gap !== null) return gap;
    const known = this.#taskOf(outcome);
    if (typeof known === 'string') return known;
    const { worker } = outcome;
    if (known.recorded.has(worker)) return REPEATED;
    this.#remember(known);
    this.#workers.add(worker);
    known.recorded.set(worker, this.#answerOf(outcome, known.task));
    return null;
  }

  /** The sentence about a missing field that the chosen grading needs. `null`: the row has all fields. */
  #gap({ answer, score, reference }: RecordedRow): string | null {
    const { grading } = this.#options;
    if (grading.by === 'score')
      return score === null ? 'The row has no score, and this table is graded by scores.' : null;
    if (answer === null) return 'The row has no answer text, and this table is graded by answers.';
    const needsReference = GRADERS[grading.grader].needs !== 'nothing';
    return needsReference && reference === null ? 'The row has no reference to compare its answer with.' : null;
  }

  /**
   * The task of a row. Rows with the same question and group share one task. If the row contradicts an earlier row, the
   * result is a sentence with the reason.
   */
  #taskOf(read: RecordedRow): KnownTask | string {
    const question = read.question.trim();
    const known = this.#byQuestion.get(questionKey(question, read.group ?? undefined));
    if (known) {
      const isSame = this.#options.grading.by === 'score' || known.task.reference === (read.reference ?? undefined);
      return isSame ? known : OTHER_REFERENCE;
    }
    const id = taskIdOf(read, this.#byQuestion.size + 1);
    if (this.#byId.has(id)) return TAKEN_ID;
    return { task: this.#newTask(id, question, read), recorded: new Map() };
  }

  #newTask(id: string, question: string, { reference, group }: RecordedRow): EvaluationTask {
    const { grading } = this.#options;
    return {
      id,
      question,
      grader: grading.by === 'score' ? 'recorded' : grading.grader,
      domain: domainOf(question),
      ...(reference === null ? {} : { reference }),
      ...(group === null ? {} : { group }),
    };
  }

  #remember(known: KnownTask): void {
    this.#byQuestion.set(questionKey(known.task.question, known.task.group), known);
    this.#byId.set(known.task.id, known);
  }

  #answerOf({ worker, answer, score, usd, latency, input, output }: RecordedRow, task: EvaluationTask): RecordedAnswer {
    const { grading } = this.#options;
    const text =
      grading.by === 'score' && score !== null
        ? withRecordedScore(task.question, answer, { score, passMark: grading.passMark })
        : (answer ?? '');
    return { worker, text, usd, latency, input, output };
  }
}

const REPEATED = 'An earlier row already has the outcome of this worker on this task. The earlier row is used.';
const OTHER_REFERENCE = 'The reference differs from that of an earlier row with the same question.';
const TAKEN_ID = 'The task id already belongs to another question in an earlier row.';

function questionKey(question: string, group: string | undefined): string {
  return JSON.stringify([group ?? null, question]);
}

/** The id of a task. The id includes the group, because ids in a table often repeat across groups. */
function taskIdOf({ taskId, group }: RecordedRow, number: number): string {
  const id = taskId ?? String(number);
  return group === null ? id : `${group}/${id}`;
}
