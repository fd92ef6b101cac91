/**
 * @file Generates random runs for the benchmarks of the run index. Each run has five steps. The word frequencies of the texts
 * follow Zipf's law, as in natural languages.
 */
import type { Entry } from '../../../src/core/analysis/run-index/entry';
import { foldText } from '../../../src/core/analysis/search/fold-text';
import { DOMAINS, questionHashOf, ROLES, SHAPES, type IndexedStep, type RunSummary } from '../../../src/core/contract';

export const STEPS = 5;
const WORDS_OF_QUESTION = 20;
const WORDS_OF_OUTPUT = 80;
const BEGAN = 1_760_000_000_000;
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zy'.split(' ');

/** Returns a seeded generator of random numbers that are at least 0 and less than 1. */
export function drawsFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
  return word;
}

/** Generated words, the most frequent word first. */
export const VOCABULARY = Array.from({ length: 60_000 }, (_, rank) => wordOf(rank));

function textOf(draw: () => number, words: number): string {
  const drawn = Array.from({ length: words }, () => VOCABULARY[Math.floor(VOCABULARY.length ** draw()) - 1] ?? 'ba');
  return `${drawn.join(' ')}.`;
}

export interface MadeRun {
  readonly summary: RunSummary;
  readonly entry: Entry;
  readonly question: string;
  readonly outputs: readonly string[];
}

export function madeRun(index: number, draw: () => number): MadeRun {
  const question = textOf(draw, WORDS_OF_QUESTION);
  const outputs = Array.from({ length: STEPS }, () => textOf(draw, WORDS_OF_OUTPUT));
  const steps = outputs.map((_, step): IndexedStep => {
    const worker = Math.floor(draw() * 9);
    return {
      round: 0,
      step,
      workerId: `bench:${worker}`,
      worker: `Worker ${worker}`,
      provider: `provider-${worker % 4}.example`,
      role: ROLES[Math.floor(draw() * ROLES.length)] ?? 'solve',
      outcome: 'finished',
      retries: 0,
      tokens: Math.floor(draw() * 2000),
      usd: draw() / 100,
      unpriced: 0,
      time: draw() * 9000,
      latency: draw() * 900,
    };
  });
  const correct = index % 3 === 0 ? null : draw() < 0.6;
  const summary: RunSummary = {
    id: `run-${index}`,
    startedAt: BEGAN + index * 60_000,
    question: question.slice(0, 200),
    conductor: `Conductor ${index % 6}`,
    workers: [...new Set(steps.map(({ worker }) => worker))],
    status: 'finished',
    rounds: 1,
    steps: STEPS,
    time: draw() * 30_000,
    tokens: Math.floor(draw() * 9000),
    usd: draw() / 20,
    unpriced: 0,
    correct,
    simulated: false,
    glyph: steps.map((_, step) => ({ lane: step, colour: step, start: step / STEPS, end: (step + 1) / STEPS })),
    labels: index % 10 === 0 ? ['kept'] : [],
    lastSeq: 40,
    isValid: true,
    ...(correct === null ? {} : { reward: correct ? (1 as const) : (0.5 as const) }),
  };
  return {
    summary,
    question,
    outputs,
    entry: {
      run: {
        summary: { ...summary, glyph: [] },
        conductorKind: 'endpoint',
        domain: DOMAINS[index % DOMAINS.length] ?? 'maths',
        shape: SHAPES[index % SHAPES.length] ?? 'other',
        grammar: true,
        planUsd: 0.001,
        laterUsd: 0,
        judgeUsd: 0,
        judgeUnpriced: 0,
        parentId: null,
        dataset: null,
        method: null,
        gradedBy: null,
        steps,
      },
      text: [question, ...outputs].map(foldText).join('\n'),
      questionHash: questionHashOf(question),
    },
  };
}
