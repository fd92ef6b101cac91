/**
 * @file Compares Podium's executor with other orchestration libraries (its peers). Prints median times, and compares them with
 * those of hand-written promises. Nothing is asserted.
 */
import { podium, podiumWithoutDigests } from './contenders/podium';
import { promises, serial } from './contenders/promises';
import { median, table, type Print } from './report';
import { chain, diamond, fan, MeasuredWorkers, single, unequal, type BenchWorkflow, type Contender } from './workflows';

const TOKENS = 1_000;
/** Turns of each contender in `withWaiting`. With fewer turns, a few late timers would change the median. */
const TURNS = 15;

export async function benchExecutor(peers: readonly Contender[], print: Print): Promise<void> {
  const contenders = [promises, podium, podiumWithoutDigests, ...peers];
  await overhead(contenders, print);
  await withWaiting(contenders, print);
  await unequalBranches(contenders, print);
  await tokens(contenders, print);
  await manyAtOnce(contenders, print);
}

/** Runs the contenders in turns, so that other load on the machine affects all of them. Returns a median for each. */
async function inTurns(
  contenders: readonly Contender[],
  turns: number,
  once: (contender: Contender) => Promise<number>,
): Promise<Map<Contender, number>> {
  const samples = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (const contender of contenders) samples.get(contender)?.push(await once(contender));
  }
  return new Map([...samples].map(([contender, all]) => [contender, median(all)]));
}

async function overhead(contenders: readonly Contender[], print: Print): Promise<void> {
  const workflow = chain(0);
  const figures = await inTurns(contenders, 7, async (contender) => {
    const runs = contender.name === 'AI SDK' || contender.name === 'LangGraph.js' ? 20 : 300;
    for (let warm = 0; warm < runs / 4; warm++) await contender.run(workflow, new MeasuredWorkers(workflow));
    const before = performance.now();
    for (let run = 0; run < runs; run++) await contender.run(workflow, new MeasuredWorkers(workflow));
    return ((performance.now() - before) * 1000) / runs;
  });
  const floor = figures.get(promises) ?? 1;
  const rows = [...figures].map(([{ name }, time]) => [
    name,
    `${time.toFixed(0)} µs`,
    `${(time / floor).toFixed(1)} ×`,
  ]);
  table(print, 'Chain of five, 0 ms workers (aim: Podium at most 60 µs a run)', ['', 'a run', 'to promises'], rows);
}

/**
 * Measures by how much the wall time exceeds the longest path through the calls. The hand-written promises are the control. They
 * wait with the same timers, so their excess is the cost of the timers and of the measurement.
 */
async function withWaiting(contenders: readonly Contender[], print: Print): Promise<void> {
  const workflows = [chain(50), fan(50), diamond(50)];
  const rows = new Map([...contenders, serial].map(({ name }) => [name, [] as string[]]));
  for (const workflow of workflows) {
    const ratios = await inTurns([serial], 5, async (contender) => {
      const { wall, workers } = await timed(contender, workflow);
      return wall / workers.longestPath();
    });
    rows.get(serial.name)?.push(`${(ratios.get(serial) ?? 0).toFixed(2)} × the path`);
    const overs = await inTurns(contenders, TURNS, async (contender) => {
      const { wall, workers } = await timed(contender, workflow);
      return wall - workers.longestPath();
    });
    const control = overs.get(promises) ?? 0;
    for (const [contender, over] of overs) {
      const step = (over - control) / stepsOnPath(workflow);
      const beyond = contender === promises ? 'the control' : `${step.toFixed(2)} a step`;
      rows.get(contender.name)?.push(`${over.toFixed(2)} ms, ${beyond}`);
    }
  }
  const title =
    '50 ms workers: wall time beyond the longest path through the calls, and by how much each step of that path exceeds the control (aim: 0.06 ms)';
  table(
    print,
    title,
    ['', ...workflows.map(({ name }) => name)],
    [...rows].map(([name, cells]) => [name, ...cells]),
  );
}

/** The number of steps on the longest path, if all steps take the same time. */
function stepsOnPath({ steps }: BenchWorkflow): number {
  const depths: number[] = [];
  for (const { access } of steps) depths.push(1 + Math.max(0, ...access.map((seen) => depths[seen] ?? 0)));
  return Math.max(...depths);
}

async function timed(
  contender: Contender,
  workflow: BenchWorkflow,
): Promise<{ wall: number; workers: MeasuredWorkers }> {
  const workers = new MeasuredWorkers(workflow);
  const before = performance.now();
  await contender.run(workflow, workers);
  return { wall: performance.now() - before, workers };
}

async function unequalBranches(contenders: readonly Contender[], print: Print): Promise<void> {
  const workflow = unequal();
  const figures = await inTurns([...contenders, serial], 5, async (contender) => {
    const { wall, workers } = await timed(contender, workflow);
    return wall / workers.longestPath();
  });
  const floor = figures.get(promises) ?? 1;
  const rows = [...figures].map(([{ name }, ratio]) => [name, `${(ratio / floor).toFixed(3)} ×`]);
  table(print, 'Unequal branches (aim: at most 1.01 × promises)', ['', 'to promises'], rows);
}

async function tokens(contenders: readonly Contender[], print: Print): Promise<void> {
  const workflow = single();
  const streaming = contenders.filter(({ stream }) => stream);
  const figures = await inTurns(streaming, 7, async (contender) => {
    const runs = contender.name === 'AI SDK' || contender.name === 'LangGraph.js' ? 5 : 50;
    let seen = 0;
    const before = performance.now();
    for (let run = 0; run < runs; run++) {
      await contender.stream?.(workflow, new MeasuredWorkers(workflow, TOKENS), (text) => (seen += text.length));
    }
    if (seen !== runs * TOKENS * 'token '.length) throw new Error(`${contender.name} lost tokens`);
    return (performance.now() - before) / runs;
  });
  const floor = figures.get(promises) ?? 1;
  const rows = [...figures].map(([{ name }, time]) => [
    name,
    `${(time / floor).toFixed(1)} ×`,
    `${Math.round(TOKENS / time).toLocaleString('en')} k/s`,
  ]);
  table(print, '1,000 local tokens (aim: at least 500 k tokens a second)', ['', 'to promises', 'tokens'], rows);
}

async function manyAtOnce(contenders: readonly Contender[], print: Print): Promise<void> {
  const workflow = chain(50);
  const figures = await inTurns(contenders, 3, async (contender) => {
    const before = performance.now();
    await Promise.all(Array.from({ length: 200 }, () => contender.run(workflow, new MeasuredWorkers(workflow))));
    return performance.now() - before;
  });
  const floor = figures.get(promises) ?? 1;
  const rows = [...figures].map(([{ name }, time]) => [
    name,
    `${time.toFixed(0)} ms`,
    `${(time / floor).toFixed(2)} ×`,
  ]);
  table(print, '200 runs at once, chain of five, 50 ms workers', ['', 'all done after', 'to promises'], rows);
}
