/**
 * @file Benchmarks the search for lessons in made-up societies (`test/fixtures/lessons`). First with a reflector that is often useful:
 * what the learned lessons gain, beside two controls that spend the same number of runs. Then with a reflector that writes only useless
 * and harmful lessons: how often the proof is wrong. If the benchmark is repeated, it prints the same figures.
 */
import { winnerOf } from '../../src/core/lessons/next-step';
import { proofOf } from '../../src/core/lessons/proof';
import { measuredFigures, bestRandomLessons } from '../fixtures/lessons/controls';
import { HARMFUL, MIXED } from '../fixtures/lessons/reflector';
import { drawSociety } from '../fixtures/lessons/society';
import { proved, scoreOnFresh, searched, societySearch, trueScore } from '../fixtures/lessons/society-search';
import { table } from './report';

const SEEDS = 20;
const RUNS = 500;
const FRESH = 2_000;
/** Number of searches without a useful reflection. */
const SEARCHES = Number(process.argv[2] ?? 1_000);

const print = (line: string) => console.log(line);
const points = (share: number) => (100 * share).toFixed(1);

await printGains();
await printNull();

async function printGains(): Promise<void> {
  const rows: string[][] = [];
  let above = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const society = drawSociety(seed);
    const given = societySearch(society, { seed, rates: MIXED, tasks: 400, runs: RUNS });
    const state = await searched(given);
    const lessons = winnerOf(state)?.lessons ?? [];
    const fresh = { seed, count: FRESH };
    const start = scoreOnFresh(society, [], fresh);
    const learned = scoreOnFresh(society, lessons, fresh);
    const random = scoreOnFresh(society, bestRandomLessons(society, given, RUNS), fresh);
    const known = scoreOnFresh(society, [], { ...fresh, published: measuredFigures(society, seed, RUNS) });
    if (learned - start >= 0.1) above += 1;
    const { runs, reflections, spent, candidates } = state;
    rows.push(
      [seed, runs, reflections, spent.calls, candidates.length - 1, points(start), points(learned)]
        .map(String)
        .concat(`${learned < start ? '' : '+'}${points(learned - start)}`, points(random), points(known)),
    );
  }
  const head = [
    'seed',
    'runs',
    'reflections',
    'calls',
    'candidates',
    'start',
    'learned',
    'gain',
    'best random',
    'known strengths',
  ];
  table(print, `Right answers on ${FRESH} fresh tasks, in percent. At most ${RUNS} graded runs each`, head, rows);
  print(`  At least 10 points above the start: ${above} of ${SEEDS}`);
}

async function printNull(): Promise<void> {
  let [winners, offered, falselyBetter, notAbove, falselyUsed, worse, covered] = [0, 0, 0, 0, 0, 0, 0];
  for (let seed = 1; seed <= SEARCHES; seed++) {
    const society = drawSociety(seed);
    const given = societySearch(society, { seed, rates: HARMFUL, tasks: 400, runs: RUNS });
    const state = await searched(given);
    // Without a winner there is nothing to prove. To see the proof often, it then compares the last candidate.
    const candidate = winnerOf(state) ?? state.candidates.at(-1);
    if (winnerOf(state)) winners += 1;
    if (!candidate || candidate.index === 0) continue;
    const proof = proofOf(await proved(given, state, candidate.index));
    if (!proof) continue;
    const gain = trueScore(society, candidate.lessons) - trueScore(society, []);
    const { value, plusMinus } = proof.scores;
    if (Math.abs(value - gain) <= plusMinus) covered += 1;
    offered += 1;
    if (gain <= 1e-9) notAbove += 1;
    if (gain <= 1e-9 && proof.verdict === 'better') falselyBetter += 1;
    if (gain <= -0.01) worse += 1;
    if (gain <= -0.01 && (proof.verdict === 'better' || proof.verdict === 'not-worse')) falselyUsed += 1;
  }
  print(`\n${SEARCHES} searches whose reflections are useless or harmful, 200 test tasks each`);
  print(`  searches with a winner: ${winners}; proofs: ${offered}`);
  print(`  true change at most 0: ${notAbove}; of these, “better”: ${falselyBetter}`);
  print(`  true change −1 point or worse: ${worse}; of these, Use is offered: ${falselyUsed}`);
  print(`  the interval covers the true change: ${points(covered / offered)} %`);
}
