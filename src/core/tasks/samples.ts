/**
 * @file Sample questions for new users. They have their own file so that the page can show them before it loads the
 * code for puzzles.
 */

/** The question field of a new tab contains the first sample, until the user types another question. */
export const SAMPLE_QUESTIONS: readonly { readonly label: string; readonly question: string }[] = [
  {
    label: 'a numbers game',
    question: 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.',
  },
  {
    label: 'twelve dates in order',
    question:
      'Put these dates in order, earliest first: 20 July 1969, 14 July 1789, 9 November 1989, 12 April 1961, 4 July 1776, 17 December 1903, 6 June 1944, 15 June 1215, 12 October 1492, 31 October 1517, 1 May 1851, 28 August 1963.',
  },
  {
    label: 'a puzzle with five statements',
    question:
      'Five people each make one statement. Knights always tell the truth and knaves always lie.\nAda says: “Dan and Ben are of different kinds.”\nBen says: “Exactly one of us is a knight.”\nCleo says: “Exactly three of us are knights.”\nDan says: “Ada is a knight.”\nEve says: “At least one of Dan and Cleo is a knave.”\nWho is a knight and who is a knave?',
  },
  {
    label: 'fractions by size',
    question: 'Put these fractions in order, smallest first: 5/8, 7/12, 3/5, 9/16, 11/18, 4/7, 8/13.',
  },
];
