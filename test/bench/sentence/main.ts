/**
 * @file Compares a sentence model with the hashed embedding, which needs no model. Measures their speed, and how well their
 * vectors separate kinds of questions. `scripts/bench.mjs` opens this page with the hash `#<hub id>,<host>`, and waits for
 * `benchDone`.
 */
import { questionEmbedding } from '../../../src/core/analysis/question-embedding';
import type { SentenceModel } from '../../../src/core/contract';
import { systemClock } from '../../../src/platform/clock';
import { createSentenceLoader, type SentenceEngine } from '../../../src/platform/engine/sentence/loader';
import { UNLIKE_QUESTIONS } from '../../fixtures/alike-questions';
import { table } from '../report';
import { estimateError, familyQuestions, foundAgain, sameFamily, type Placed } from './nearness';
import { PARAPHRASES } from './paraphrases';

declare global {
  var benchDone: boolean | undefined;
}

const EACH = 40;
/** Number of texts per embedding call, the same as in Podium (`placing.ts`). */
const TOGETHER = 32;
const unstopped = new AbortController().signal;
const [id = '', host = ''] = location.hash.slice(1).split(',');
const print = (line: string) => console.log(line);
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const model: SentenceModel = {
  id: `sentence:${id}`,
  label: id,
  hub: { id, revision: null, ...(host === '' ? {} : { host }) },
  download: 1,
  licence: null,
  why: 'For benchmarks.',
};

/**
 * Loads the engine and embeds one question.
 * @param fetches whether missing files may be downloaded
 * @returns the engine, and the time for loading and embedding, ms
 */
async function open(fetches: boolean): Promise<{ engine: SentenceEngine; ms: number }> {
  const started = performance.now();
  const loader = createSentenceLoader({ clock: systemClock });
  const engine = await loader.load(model, fetches, () => undefined, unstopped);
  await engine.embed(['How many primes are there below 100?'], unstopped);
  return { engine, ms: performance.now() - started };
}

async function placeAll(engine: SentenceEngine, texts: readonly string[]): Promise<Map<string, Float32Array>> {
  const placed = new Map<string, Float32Array>();
  for (let from = 0; from < texts.length; from += TOGETHER) {
    const part = texts.slice(from, from + TOGETHER);
    const vectors = await engine.embed(part, unstopped);
    for (const [index, text] of part.entries()) {
      const vector = vectors[index];
      if (vector) placed.set(text, vector);
    }
  }
  return placed;
}

try {
  const fetched = await open(true);
  fetched.engine.dispose();
  const { engine, ms } = await open(false);
  const posed = familyQuestions(EACH);
  const texts = [...new Set([...posed.map(({ text }) => text), ...UNLIKE_QUESTIONS, ...PARAPHRASES])];

  const started = performance.now();
  const placed = await placeAll(engine, texts);
  const all = performance.now() - started;
  const single: number[] = [];
  for (const text of texts.slice(0, 40)) {
    const before = performance.now();
    await engine.embed([`${text} `], unstopped);
    single.push(performance.now() - before);
  }
  const hashing = performance.now();
  const hashed = new Map(texts.map((text) => [text, questionEmbedding(text)]));
  const hashTime = performance.now() - hashing;
  const middle = single.toSorted((one, other) => one - other)[single.length / 2] ?? Number.NaN;

  const perSecond = (time: number) => `${Math.round((1000 * texts.length) / time)}`;
  table(
    print,
    `Sentence model ${id}`,
    ['', 'model', 'hashed'],
    [
      ['first vector, with the download', seconds(fetched.ms), ''],
      ['first vector, already downloaded', seconds(ms), ''],
      ['one question, median', `${middle.toFixed(1)} ms`, `${(hashTime / texts.length).toFixed(2)} ms`],
      [`texts a second, ${texts.length} in calls of ${TOGETHER}`, perSecond(all), perSecond(hashTime)],
    ],
  );
  const both: readonly Placed[] = [placed, hashed];
  const row = (name: string, figure: (each: Placed) => string) => [name, ...both.map(figure)];
  table(
    print,
    'Similarity of questions',
    ['', 'model', 'hashed'],
    [
      row('nearest is of the same family', (each) => percent(sameFamily(posed, each))),
      row('nearest is the same question’s paraphrase', (each) =>
        percent(foundAgain(UNLIKE_QUESTIONS, PARAPHRASES, each)),
      ),
      row('error of estimated success', (each) => estimateError(posed, each).toFixed(3)),
    ],
  );
  print(`  error without similarities: ${estimateError(posed, null).toFixed(3)}`);
  engine.dispose();
} catch (thrown) {
  console.error('The sentence model could not be measured.', thrown);
}
globalThis.benchDone = true;
