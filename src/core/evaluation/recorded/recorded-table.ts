/**
 * @file Creates a dataset from a table of recorded answers or scores, such as a benchmark of LLM routers.
 * Skips unusable rows and reports the reasons.
 */
import { domainOf } from '../../analysis';
import {
  isConfidentialDataset,
  isConfidentialRow,
  type Dataset,
  type EvaluationTask,
  type GraderKind,
  type RecordedAnswer,
  type RowProblem,
  type TablePart,
  type TableRow,
} from '../../contract';
import { describeTasks } from '../datasets/describe-tasks';
import { readRecordedRow, type RecordedRow, type RowDefaults } from './recorded-row';
import { withRecordedScore } from '../../graders/recorded-score';

/**
 * What decides whether an answer is correct. `score`: the recorded score must be at least `passMark`. The
 * text of the answer is not checked. `answer`: a grader grades the text of the recorded answer.
 */
export type RecordedGrading =
  { readonly by: 'score'; readonly passMark: number } | { readonly by: 'answer'; readonly grader: GraderKind };

export interface RecordedTableOptions {
  readonly grading: RecordedGrading;
  readonly defaults?: RowDefaults;
}

export interface RecordedTable {
  /** The tasks, each with its recorded answers. */
  readonly tasks: readonly EvaluationTask[];
  /** The names of the workers, in the order of their first rows. */
  readonly workers: readonly string[];
  /** The skipped rows with the reasons, in the order of the rows. */
  readonly problems: readonly RowProblem[];
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
  /** Number of the row where the task was first read. */
  readonly row: number;
  readonly recorded: RecordedAnswer[];
}

/** Reads a table in parts. */
export class RecordedTableReader {
  readonly #options: RecordedTableOptions;
  readonly #byQuestion = new Map<string, KnownTask>();
  readonly #byId = new Map<string, KnownTask>();
  /** For each pair of task and worker, the number of the row that is used. */
  readonly #rowOfPair = new Map<string, number>();
  readonly #workers = new Set<string>();
  readonly #problems: RowProblem[] = [];
  #isConfidential = false;

  constructor(options: RecordedTableOptions) {
    this.#options = options;
  }

  add({ rows, problems }: Pick<TablePart, 'rows' | 'problems'>): void {
    this.#problems.push(...problems);
    for (const { row, value } of rows) {
      this.#isConfidential ||= isConfidentialRow(value);
      const message = this.#read(row, value);
      if (message !== null) this.#problems.push({ row, message });
    }
  }

  finish(): RecordedTable {
    return {
      tasks: [...this.#byQuestion.values()].map(({ task, recorded }) => ({ ...task, recorded })),
      workers: [...this.#workers],
      problems: this.#problems.sort((one, other) => one.row - other.row),
      isConfidential: this.#isConfidential,
    };
  }

  /** Reads a row. @returns the reason why the row is skipped. `null`: the row is used */
  #read(row: number, value: TableRow): string | null {
    const read = readRecordedRow(value, this.#options.defaults);
    if (!read.ok) return read.message;
    const gap = this.#gap(read.row);
    if (gap !== null) return gap;
    const known = this.#taskOf(read.row, row);
    if (typeof known === 'string') return known;
    const { worker } = read.row;
    const pair = JSON.stringify([known.task.id, worker]);
    const earlier = this.#rowOfPair.get(pair);
    if (earlier !== undefined)
      return `Row ${earlier} already has the outcome of ${worker} on this task. The earlier row is used.`;
    this.#remember(known);
    this.#rowOfPair.set(pair, row);
    this.#workers.add(worker);
    known.recorded.push(this.#answerOf(read.row, known.task));
    return null;
  }

  /** The sentence about a missing field that the chosen grading needs. `null`: the row has all fields. */
  #gap({ answer, score, reference }: RecordedRow): string | null {
    const { grading } = this.#options;
    if (grading.by === 'score')
      return score === null ? 'The row has no score, and this table is graded by scores.' : null;
    if (answer === null) return 'The row has no answer text, and this table is graded by answers.';
    const needsReference = grading.grader !== 'puzzle' && grading.grader !== 'person';
    return needsReference && reference === null ? 'The row has no reference to compare its answer with.' : null;
  }

  /**
   * The task of a row. Rows with the same question share one task. If the row contradicts an earlier row, the
   * result is a sentence with the reason.
   */
  #taskOf(read: RecordedRow, row: number): KnownTask | string {
    const question = read.question.trim();
    const known = this.#byQuestion.get(question);
    if (known) {
      const isSame = this.#options.grading.by === 'score' || known.task.reference === read.reference;
      return isSame ? known : `The reference differs from that of the same question in row ${known.row}.`;
    }
    const id = taskIdOf(read, this.#byQuestion.size + 1);
    const other = this.#byId.get(id);
    if (other) return `The task id “${id}” already belongs to another question, in row ${other.row}.`;
    return { task: this.#newTask(id, question, read), row, recorded: [] };
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
    this.#byQuestion.set(known.task.question, known);
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

/** The id of a task. The id includes the group, because ids in a table often repeat across groups. */
function taskIdOf({ taskId, group }: RecordedRow, number: number): string {
  const id = taskId ?? String(number);
  return group === null ? id : `${group}/${id}`;
}
