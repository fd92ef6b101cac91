/**
 * @file Refuses lessons that contain a task's text, its answer, a key or an address. Such a lesson would raise the score on the tasks of
 * the search without teaching anything, or would send a secret to each worker.
 */
import { runsOfWords, wordsOf } from './words';

export interface CheckedTask {
  readonly question: string;
  /** Right answers. Answers of at most three characters are ignored, because ordinary text contains them. */
  readonly answers: readonly string[];
}

/** Number of consecutive words that no lesson may share with a task. */
const RUN = 8;
/** Longest answer of which each occurrence counts as a leak. Of longer answers, a run of eight words counts. */
const LONGEST_ANSWER = 80;
const SHORTEST_ANSWER = 4;
/** A word of more than this share of the tasks is usual for them, such as the wording that all puzzles share. */
const USUAL = 0.1;
/** A paraphrase has this share of a task's own words, and at least this many of them. */
const PARAPHRASED = 0.6;
const FEWEST_OWN_WORDS = 3;
/** This many own words of one task are a leak, however long the task is. */
const MANY_OWN_WORDS = 8;

const STOP_WORDS = new Set(
  wordsOf(
    'a an the and or but if then than so as of in on at to from for with without by is are was were be been being do does did has have had it its this that these those there here what which who whom whose how why when where can could may might must shall should will would not no yes you your i me my we our they them their he she his her all any each some more most many much only also very just use used using give given get make one two',
  ),
);

const SECRETS = /\b(?:sk|pk|rk|gsk|xai|ghp|hf|api|key)[-_][A-Za-z0-9_-]{12,}|\bAIza[\w-]{20,}|\bBearer\s+\S{12,}/;
/** A text of this length with letters and digits, and without a space, is no word. */
const LONG_TOKENS = /(?<![\w-])[\w-]{28,}/g;
const ADDRESSES =
  /\b(?:https?|wss?|ftp|file):\/\/|\bwww\.|\b[\w.+-]+@[\w-]+\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost:\d|\b[a-z0-9-]+\.(?:com|org|net|io|ai|dev|app|cloud|co|de|eu|uk)\b/i;

/** Checks lessons against the tasks of a search. Made once, because it indexes all tasks. */
export class LeakCheck {
  readonly #runs = new Set<string>();
  readonly #answers: readonly string[];
  readonly #ownWords: readonly ReadonlySet<string>[];

  constructor(tasks: readonly CheckedTask[]) {
    const words = tasks.map(({ question }) => wordsOf(question));
    const counts = new Map<string, number>();
    for (const own of words) for (const word of new Set(own)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const isUsual = (word: string) => (counts.get(word) ?? 0) > Math.max(3, USUAL * tasks.length);
    this.#ownWords = words.map((own) => new Set(own.filter((word) => !STOP_WORDS.has(word) && !isUsual(word))));
    const answers = tasks.flatMap((task) => task.answers.map((answer) => answer.trim()));
    this.#answers = [
      ...new Set(
        answers.filter((answer) => answer.length >= SHORTEST_ANSWER && answer.length <= LONGEST_ANSWER).map(padded),
      ),
    ].filter((answer) => answer.trim() !== '');
    for (const text of [...words, ...answers.map(wordsOf)])
      for (const run of runsOfWords(text, RUN)) this.#runs.add(run);
  }

  /** Why the lessons are refused, as a sentence that quotes nothing. `null`: they contain no leak. */
  problem(lessons: readonly string[]): string | null {
    for (const lesson of lessons) {
      if (SECRETS.test(lesson) || hasLongToken(lesson)) return 'A lesson contains a key.';
      if (ADDRESSES.test(lesson)) return 'A lesson contains an address.';
      const words = wordsOf(lesson);
      if ([...runsOfWords(words, RUN)].some((run) => this.#runs.has(run)))
        return 'A lesson contains the text of a task.';
      const text = padded(lesson);
      if (this.#answers.some((answer) => text.includes(answer))) return 'A lesson contains the answer of a task.';
      const own = new Set(words);
      if (this.#ownWords.some((task) => isParaphrase(task, own))) return 'A lesson retells a task.';
    }
    return null;
  }
}

function hasLongToken(text: string): boolean {
  return (text.match(LONG_TOKENS) ?? []).some((token) => /\d/.test(token) && /[a-z]/i.test(token));
}

function padded(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}

function isParaphrase(task: ReadonlySet<string>, lesson: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const word of task) if (lesson.has(word)) shared += 1;
  if (shared >= MANY_OWN_WORDS) return true;
  return shared >= FEWEST_OWN_WORDS && shared >= PARAPHRASED * task.size;
}
