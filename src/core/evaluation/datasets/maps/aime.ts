/** @file AIME: competition problems whose answers are integers from 0 to 999. Several repositories publish the years. */
import type { TableRow } from '../../../contract';
import { optionalText, UnfitRow } from '../row-fields';
import type { SetMap } from './set-map';

const INTEGER = /^\d{1,3}$/;
/** A year has 30 problems. Maximum size of a table with one year, if its number of rows is unknown. */
const MOST_ROWS = 30;
const MOST_BYTES = 200_000;

export const aime: SetMap = {
  info: {
    set: 'aime',
    title: 'AIME',
    grader: 'mathematics',
    isConfidential: false,
    files: [
      { label: '2025: 30 competition problems', address: { repository: 'yentinglin/aime_2025' }, isGated: false },
      { label: '2024: 30 competition problems', address: { repository: 'HuggingFaceH4/aime_2024' }, isGated: false },
    ],
  },
  columns: [],
  // Many other tables have these columns, too. So the table's name and answers are also checked.
  isTable: ({ source, preview }) => {
    const name = source.kind === 'file' ? source.name : `${source.repository}/${source.file}`;
    const isAime = /aime/i.test(name) || preview.some((row) => /aime/i.test(sourceOf(row)));
    return isAime && preview.every((row) => questionOf(row) !== null && INTEGER.test(answerOf(row)));
  },
  titleOf({ preview, rowCount, bytes }) {
    // The preview shows only the first year of a table with several years.
    if ((rowCount ?? 0) > MOST_ROWS || (rowCount === null && (bytes ?? Infinity) > MOST_BYTES)) return undefined;
    const years = new Set(preview.map(yearOf));
    const [year] = years;
    return years.size === 1 && year != null ? `AIME ${year}` : undefined;
  },
  task(row, number) {
    const answer = answerOf(row);
    if (!INTEGER.test(answer)) throw new UnfitRow('The answer is not an integer from 0 to 999.');
    const question = questionOf(row);
    if (question === null) throw new UnfitRow('The field “problem” is missing or empty.');
    return {
      id: optionalText(row, 'id') ?? optionalText(row, 'ID') ?? String(number),
      question,
      reference: answer,
      grader: 'mathematics',
      domain: 'maths',
      artefactRules: 'aime',
    };
  },
};

function questionOf(row: TableRow): string | null {
  return firstText(row, ['problem', 'Problem', 'question', 'Question']);
}

/** The number in an answer. Some copies of the dataset have a degree sign or a space after the number. */
function answerOf(row: TableRow): string {
  const text = firstText(row, ['answer', 'Answer', 'expected_answer']) ?? '';
  return text
    .trim()
    .replace(/\^?\\?(?:circ|°)?$/u, '')
    .trim();
}

function firstText(row: TableRow, columns: readonly string[]): string | null {
  return columns.map((column) => optionalText(row, column)).find((text) => text !== null) ?? null;
}

/** The columns that can name the competition: an address, an id or a source. */
function sourceOf(row: TableRow): string {
  const columns = ['url', 'link', 'id', 'ID', 'source', 'exam', 'competition', 'contest'];
  const texts = columns.map((column) => optionalText(row, column) ?? '');
  // A plain number, such as 2010, is not a year.
  return texts.filter((text) => !/^\d*$/.test(text)).join(' ');
}

/** The year, from the row's own data. File names are often wrong. `null`: the row has no year. */
function yearOf(row: TableRow): string | null {
  const year = firstText(row, ['year', 'Year']) ?? /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(sourceOf(row))?.[0];
  return year !== undefined && /^(?:19|20)\d\d$/.test(year) ? year : null;
}
