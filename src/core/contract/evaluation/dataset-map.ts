/** @file The map of a dataset: how the columns of a table become parts of a task. */
import type { Domain } from '../worker/domain';
import type { GraderKind } from './task';

/** Published sets whose columns are known. */
export const KNOWN_SETS = [
  'math-500',
  'mmlu',
  'gpqa-diamond',
  'rlpr',
  'livecodebench',
  'bigcodebench',
  'aime',
  'gsm8k',
  'svamp',
  'aqua',
  'olympiadbench',
  'humaneval',
  'mbpp',
] as const;
export type KnownSet = (typeof KNOWN_SETS)[number];

/**
 * The text of a question: one column, or a template in which `{{column}}` stands for the text of a column, and `{{column?}}` for
 * the text of a column that may be empty. The texts of a list stand on lines of their own.
 */
export type QuestionMap =
  { readonly kind: 'column'; readonly column: string } | { readonly kind: 'template'; readonly text: string };

/**
 * The columns with the options of multiple-choice questions. The prompts use the wording of simple-evals, which asks for a last
 * line “Answer: $LETTER”.
 */
export interface ChoiceMap {
  /** One column with all options (a list, an object or a lettered text), or one column for each option. */
  readonly columns: readonly string[];
  /**
   * The content of the reference column: the letter or label of the right option, its index from 0, its number from 1, or its
   * text. Without a reference column: `first` if the first option is always right, and `marked` if the column of the options
   * marks the right one.
   */
  readonly answer: 'letter' | 'index' | 'number' | 'text' | 'first' | 'marked';
  /** Seed for shuffling the options. The order depends only on the seed and the task. `null`: not shuffled. */
  readonly shuffleSeed: number | null;
}

/** The tests of a programming task. */
export type TestMap =
  | {
      /** Grader `python`: lists of `{ input, output, testtype }`, as in LiveCodeBench. */
      readonly kind: 'cases';
      readonly tests: string;
      /**
       * A column with more tests. It has either the same kind of list, or a Python pickle of the list, compressed with zlib and
       * encoded as base64. `null`: there are no private tests.
       */
      readonly privateTests: string | null;
      /** A column with the name of the function to call. `null`: programs read standard input. */
      readonly functionName: string | null;
    }
  | {
      /** Grader `unittest`: a `unittest.TestCase`, as in BigCodeBench. */
      readonly kind: 'unittest';
      readonly test: string;
      readonly entryPoint: string;
      /** A column with a list of Python packages. `null`: no such column. */
      readonly libraries: string | null;
    }
  | {
      /** Grader `unittest`: a Python function `check(candidate)`, as in HumanEval. */
      readonly kind: 'check';
      readonly test: string;
      /**
       * A column with the function that `check` receives, such as `add` or `Solution().add`, or with code that defines it.
       * `null`: the test calls `check` itself.
       */
      readonly entryPoint: string | null;
      /** A column with the beginning of the program, which the solution continues. `null`: the solution is a whole program. */
      readonly beginning: string | null;
    }
  | {
      /** Grader `unittest`: Python assertions, as in MBPP. */
      readonly kind: 'asserts';
      /** A column with a list of assertions, or with one text. */
      readonly tests: string;
      /** A column with code that runs before the assertions, such as imports. `null`: no such column. */
      readonly setup: string | null;
    };

/**
 * The part of the reference column that is the reference: the text after the last occurrence of a marker, the last line that
 * is not blank, or the content of the last box, as in `\boxed{18}`.
 */
export type ReferencePart =
  { readonly kind: 'after'; readonly marker: string } | { readonly kind: 'last-line' } | { readonly kind: 'box' };

/** The column for each part of a task. Dots select values inside objects and lists: `reward_model.ground_truth`. */
export interface FieldMap {
  readonly grader: GraderKind;
  readonly domain: Domain;
  readonly question: QuestionMap;
  /**
   * Column of the reference. `null` for the graders `puzzle`, `person`, `python` and `unittest`, and if `choices.answer` is
   * `first` or `marked`.
   */
  readonly reference: string | null;
  /** Absent: the whole text of the column is the reference. */
  readonly referencePart?: ReferencePart;
  /** Column of the id. `null`: the number of the row is the id. */
  readonly id: string | null;
  /** Column by which samples are stratified. `null`: samples are not stratified. */
  readonly group: string | null;
  /** Columns of options for the grader `letter`. `null` with other graders, and if the questions contain their options. */
  readonly choices: ChoiceMap | null;
  /** Required with the graders `python` and `unittest`, otherwise `null`. */
  readonly tests: TestMap | null;
  /** Column of a solution that passes the tests. `null` unless the tasks are programming tasks with solutions. */
  readonly solution: string | null;
  /** Whether exports must not contain the text of the tasks. */
  readonly isConfidential: boolean;
}

/** How rows become tasks: by the built-in map of a known set, or by a map of the table's columns. */
export type DatasetMap =
  { readonly kind: 'known'; readonly set: KnownSet } | { readonly kind: 'columns'; readonly map: FieldMap };
