/** @file Benchmarks a search by meaning, and compares it with a plain loop over one array of all vectors in the page. */
import { openDB } from 'idb';
import { ALL_RUNS, NEAREST_FIRST, sha256Hex, type QuestionEmbedder, type RunIndex } from '../../../src/core/contract';
import type { PodiumSchema } from '../../../src/platform/store/migrations';
import { packVector } from '../../../src/platform/store/packed-vectors';
import { median, table, type Print } from '../report';
import { drawsFrom } from './archive';

/** Number of dimensions of a vector, the same as MiniLM's. */
const SIZE = 384;
const TOPICS = 50;
const NOISE = 0.6;
const TIMES = 15;
const PAGE = 100;
const MODEL = 'bench';
/** With this width, the search finds questions with a cosine of at least 0.28. */
const MOST = 200;
const { signal } = new AbortController();

const draw = drawsFrom(3);
const topics = Array.from({ length: TOPICS }, () => unit(Float32Array.from({ length: SIZE }, () => draw() - 0.5)));

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

function vectorAbout(topic: number): Float32Array {
  const noise = unit(Float32Array.from({ length: SIZE }, () => draw() - 0.5));
  return unit(noise.map((each, place) => NOISE * each + (topics[topic % TOPICS]?.[place] ?? 0)));
}

const embedded = new Map<string, Float32Array>();

/** Replaces a sentence model. Each text is a number, which selects the topic of its vector. */
export const benchEmbedder: Pick<QuestionEmbedder, 'embed'> = {
  embed(texts) {
    for (const text of texts) embedded.set(text, embedded.get(text) ?? vectorAbout(Number(text)));
    return Promise.resolve({ by: 'A model', storedAs: MODEL, vectors: embedded });
  },
};

/** Stores a vector for each question. @returns all vectors in one array */
export async function fillVectors(name: string, questions: readonly string[]): Promise<Float32Array> {
  const all = new Float32Array(questions.length * SIZE);
  const connection = await openDB<PodiumSchema>(name);
  for (let first = 0; first < questions.length; first += 2000) {
    const transaction = connection.transaction('vectors', 'readwrite', { durability: 'relaxed' });
    for (const [place, question] of questions.slice(first, first + 2000).entries()) {
      const vector = vectorAbout(first + place);
      all.set(vector, (first + place) * SIZE);
      const packed = packVector(vector);
      if (packed) void transaction.store.put({ vector: packed, at: 1 }, [MODEL, sha256Hex(question)]);
    }
    await transaction.done;
  }
  connection.close();
  return all;
}

/**
 * Finds the vectors whose cosine with `wanted` is at least 0.28, sorts them, and keeps the 200 nearest, as a search
 * by meaning does. Returns the number of kept vectors.
 */
function loop(all: Float32Array, wanted: Float32Array): number {
  const near: { row: number; similarity: number }[] = [];
  for (let row = 0, at = 0; at < all.length; row++) {
    let sum = 0;
    for (let place = 0; place < SIZE; place++, at++) sum += (all[at] ?? 0) * (wanted[place] ?? 0);
    if (sum >= 0.28) near.push({ row, similarity: sum });
  }
  return near.sort((one, other) => other.similarity - one.similarity).slice(0, MOST).length;
}

/** @param asked measures the median time of queries to the index, see `secondTimes` in `main.ts` */
export async function benchMeaning(
  print: Print,
  index: RunIndex,
  all: Float32Array,
  asked: (work: (time: number) => Promise<unknown>, count?: number) => Promise<number>,
): Promise<void> {
  const filterAt = (time: number) => ({ ...ALL_RUNS, words: String(time), byMeaning: true });
  const first = await asked(() => index.totals(filterAt(0), signal), 1);
  // The page also sends these three queries together.
  const found = await asked(async (time) => {
    const filter = filterAt(time + 1);
    await Promise.all([
      index.totals(filter, signal),
      index.nearness(filter, signal),
      index.rows({ filter, sort: NEAREST_FIRST }, 0, PAGE, signal),
    ]);
  }, TIMES);
  const one = await asked((time) => index.totals(filterAt(time + 20), signal), TIMES);
  const filtered = await asked((time) => index.totals({ ...filterAt(time + 40), grades: ['right'] }, signal), TIMES);
  const looped: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const wanted = vectorAbout(time);
    const before = performance.now();
    if (loop(all, wanted) !== Math.min(MOST, Math.floor(all.length / SIZE / TOPICS)))
      print('  The number of vectors that the loop found is not the number of vectors about the topic.');
    looped.push(performance.now() - before);
  }
  const plain = median(looped);
  const row = (name: string, took: number) => [name, `${took.toFixed(0)} ms`, `${(took / plain).toFixed(2)} ×`];
  table(
    print,
    `By meaning: ${(all.length / SIZE).toLocaleString('en')} vectors of ${SIZE} numbers`,
    ['', 'median', 'to a loop'],
    [
      row('the first search, which reads all vectors', first),
      row('totals of a search', one),
      row('totals of a search with a filter by grade', filtered),
      row('totals, the first rows and their similarities', found),
      row('a loop over one Float32Array in the page', plain),
    ],
  );
}
