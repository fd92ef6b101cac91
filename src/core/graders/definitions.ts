/**
 * @file The definitions of the graders, one for each kind. The profile `strict` has Podium's own rules. The profile
 * `paper-artefact` has the rules of the published code of arXiv 2512.04388. Graders are lazy-loaded, so that this file stays
 * small.
 */
import {
  loadOnce,
  type EvaluationTask,
  type Fault,
  type Grader,
  type GraderKind,
  type GradingProfile,
} from '../contract';
import type { GraderParts } from './grader-parts';
import type { ProgramKind } from './programs/program-task';

type LoadGrader = (profile: GradingProfile, parts: GraderParts) => Promise<Grader>;

/** An answer that states the reference of a task. It must be graded as right. Otherwise the reference is useless. */
export interface Trial {
  readonly answer: (reference: string) => string;
  /**
   * References that no worker would repeat, even though the answer above is graded as right. `long`: texts of several lines,
   * and long texts. `worked`: solutions that have the answer in them.
   */
  readonly refuses: 'nothing' | 'long' | 'worked';
}

interface GraderDefinition {
  /** Loads the grader for a profile. If a profile is absent, it has no rules for this kind, or a person grades. */
  readonly rules: Readonly<Partial<Record<GradingProfile, LoadGrader>>>;
  /**
   * The version of the `strict` rules. Raise it if answers that exist can get another verdict. Then batches with older verdicts
   * offer to grade the stored answers again. It stays 1 for graders that make calls.
   */
  readonly version: number;
  /** Checks whether a task can be graded here, before its run costs money. `null`: nothing is checked. */
  readonly check: ((task: EvaluationTask, parts: GraderParts, signal: AbortSignal) => Promise<Fault | null>) | null;
  /** How a reference is tried before its task is imported. `null`: it is not tried, except for programs, which are run. */
  readonly trial: Trial | null;
  /**
   * What the answer format `answer-tags` asks for between the tags. `null`: the question of a task stays as it is, because the
   * published code requests no tags in its answers. Podium recognizes the domain of a question from its words and digits. The
   * text becomes part of the question, so it contains no digits and no words that point to a domain.
   */
  readonly tagged: string | null;
}

const TAGS = '<answer> and </answer>';

const loadPattern = loadOnce(() => import('./pattern'), 'the grader of regular expressions');
const loadPuzzle = loadOnce(() => import('./puzzle'), 'the grader of puzzles');
export const loadProgramGrader = loadOnce(() => import('./program-grader'), 'the grader of programs');

export const DEFINITIONS: Readonly<Record<GraderKind, GraderDefinition>> = {
  puzzle: {
    rules: { strict: async () => (await loadPuzzle()).createPuzzleGrader() },
    version: 1,
    check: async ({ question }) => (await loadPuzzle()).puzzleFault(question),
    trial: null,
    tagged: null,
  },
  letter: {
    rules: inBothProfiles(async (profile) => (await import('./choice-letter')).createChoiceLetterGrader(profile)),
    version: 2,
    check: null,
    trial: { answer: (reference) => `Answer: ${reference}`, refuses: 'nothing' },
    tagged: `the letter of your choice between ${TAGS}. Example: <answer>B</answer>.`,
  },
  mathematics: {
    rules: inBothProfiles(async (profile) => (await import('./mathematics')).createMathematicsGrader(profile)),
    version: 3,
    check: null,
    trial: { answer: (reference) => `\\boxed{${reference}}`, refuses: 'worked' },
    tagged: String.raw`the final result between ${TAGS}, without an explanation and without a box. If there is one solution, give only its value. If there are several, separate them with commas. Use standard LaTeX, also for fractions and roots. Keep the degree symbol of an angle. Example: <answer>\pi</answer>.`,
  },
  rlpr: {
    rules: inBothProfiles(async (profile) => (await import('./rlpr')).createRlprGrader(profile)),
    version: 2,
    check: null,
    trial: { answer: (reference) => `<answer>${reference}</answer>`, refuses: 'long' },
    tagged: `the final result between ${TAGS}, without an explanation. Convert percentages to decimals. Give an amount of money and a large number in digits, without separators. Give a formula in standard notation. Round to between two and four significant figures. Give a unit only if the question requires it.`,
  },
  exact: {
    rules: { strict: async () => (await import('./text-match')).createExactGrader() },
    version: 2,
    check: null,
    trial: { answer: (reference) => `Answer:\n${reference}`, refuses: 'long' },
    tagged: null,
  },
  pattern: {
    rules: { strict: async () => (await loadPattern()).createPatternGrader() },
    version: 3,
    check: async ({ reference }) => (reference ? (await loadPattern()).patternFault(reference) : null),
    trial: null,
    tagged: null,
  },
  python: {
    ...programs('python'),
    tagged: `the final program between ${TAGS}, without backticks and without any other text.`,
  },
  unittest: { ...programs('unittest'), tagged: null },
  judge: {
    rules: {
      strict: async (_, { judge, judgeRoom }) => (await import('./judge')).createJudgeGrader(judge ?? null, judgeRoom),
    },
    version: 1,
    check: null,
    trial: null,
    tagged: null,
  },
  person: { rules: {}, version: 1, check: null, trial: null, tagged: null },
  recorded: {
    rules: { strict: async () => (await import('./recorded-score')).createRecordedGrader() },
    version: 1,
    check: null,
    trial: null,
    tagged: null,
  },
};

function inBothProfiles(load: LoadGrader): GraderDefinition['rules'] {
  return { strict: load, 'paper-artefact': load };
}

function programs(kind: ProgramKind): Omit<GraderDefinition, 'tagged'> {
  return {
    rules: inBothProfiles(async (profile, parts) =>
      (await loadProgramGrader()).createProgramGrader(kind, profile, parts),
    ),
    version: 1,
    check: async (task, parts, signal) => (await loadProgramGrader()).checkProgramTask(task, kind, parts, signal),
    trial: null,
  };
}
