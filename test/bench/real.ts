/**
 * @file Measures Podium on real answers of models. Asserts nothing. Run with `npm run bench -- real FILE`. Without a file, it
 * prints why it is skipped. Each file in `real/` is a section.
 */
import { readAnswers } from './real/answers';
import { compareGrading } from './real/grading';
import { measureOutcomes } from './real/outcomes';

const [path = process.env['PODIUM_REAL_ANSWERS']] = process.argv.slice(2);

if (path === undefined) {
  console.log(
    '\nReal answers: skipped, because no file is given. Use `npm run bench -- real FILE` or PODIUM_REAL_ANSWERS.',
  );
  console.log('Each line of the file is a JSON object with question, reference, model, response and right.');
} else {
  const answers = readAnswers(path);
  console.log(`\nGrading of ${answers.length} real answers`);
  compareGrading(answers);
  console.log('\nThe same answers as recorded outcomes');
  await measureOutcomes(path, (line) => console.log(line));
}
