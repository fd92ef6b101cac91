import { describe, expect, it } from 'vitest';
import { conductorPrompt, promptSources } from '../../../src/core/conductor/prompt';
import { renderPrompt } from '../../../src/core/contract';
import type { NeededRun } from '../../../src/core/lessons/next-step';
import { inPlanOrder } from '../../../src/core/lessons/plan-order';
import { drawnPool } from '../../../src/core/lessons/search-runs';
import { request, worker } from '../conductor/requests';

const POOLS: Readonly<Record<string, readonly string[]>> = {
  a: ['oak', 'ash'],
  b: ['ash', 'elm', 'oak'],
  c: ['oak', 'elm'],
  d: ['ash', 'elm'],
};
const workersOf = (task: string) => POOLS[task.charAt(0)] ?? [];
const run = (candidate: number, task: string) => ({
  candidate,
  lessons: candidate === 0 ? [] : ['Check the units.'],
  task,
  isTraced: false,
});
const names = (runs: readonly { readonly candidate: number; readonly task: string }[]) =>
  runs.map(({ candidate, task }) => `${candidate}${task}`);

describe('runs in the order of their plans', () => {
  it('are grouped by lessons, and then by their first workers', () => {
    const runs = ['a', 'b', 'c', 'd'].flatMap((task) => [run(0, task), run(1, task)]);
    const ordered = names(inPlanOrder(runs, workersOf));
    expect(ordered).toEqual(['1b', '1d', '1a', '1c', '0b', '0d', '0a', '0c']);
  });

  it('come in blocks, so that both candidates of a long proof are compared at about the same time', () => {
    const runs = Array.from({ length: 100 }, (_, index) => [run(0, `a${index}`), run(1, `a${index}`)]).flat();
    const ordered = inPlanOrder(runs, workersOf);
    expect(new Set(names(ordered))).toEqual(new Set(names(runs)));
    const places = new Map(names(ordered).map((name, index) => [name, index]));
    for (const { task } of runs) {
      const [one = 0, other = 0] = [places.get(`0${task}`), places.get(`1${task}`)];
      expect(Math.abs(one - other)).toBeLessThan(32);
    }
  });

  it('have prompts of which nine tenths begin like the prompt before', () => {
    const tasks = Array.from(
      { length: 200 },
      (_, index) => `Task ${index}. ${'How many are left of the geese? '.repeat(5)}`,
    );
    const validation = tasks.slice(0, 50).map((task) => run(1, task));
    const proof = tasks.flatMap((task) => [run(0, task), run(1, task)]);
    const ordered = (runs: readonly NeededRun[]) => inPlanOrder(runs, (task) => drawn(task).map(({ id }) => id));
    const [checked, proved] = [unknownShare(ordered(validation)), unknownShare(ordered(proof))];
    expect(checked).toBeLessThan(0.85 * unknownShare(validation));
    expect(proved).toBeLessThan(0.6 * unknownShare(proof));
    expect(Math.max(checked, proved)).toBeLessThan(0.1);
  });
});

const description = 'A language model. Published: maths 61, code 46, logic 55, knowledge 70.';
const FIVE = [0, 1, 2, 3, 4].map((index) => worker(index, { description }));
const drawn = (task: string) => drawnPool(FIVE, 1, task);

/** The share of the characters of all prompts with which the prompt before does not begin. */
function unknownShare(runs: readonly NeededRun[]): number {
  let before = '';
  let [all, unknown] = [0, 0];
  for (const { task, lessons } of runs) {
    const taught = lessons.flatMap((lesson) => Array.from({ length: 20 }, (_, index) => `${index}. ${lesson}`));
    const requested = request({ question: task, pool: drawn(task), prompt: { lessons: taught } });
    const messages = renderPrompt(conductorPrompt(requested, { digest: () => '' }), promptSources(requested));
    const prompt = messages.map(({ content }) => content).join('\n\n');
    let same = 0;
    while (same < prompt.length && prompt[same] === before[same]) same += 1;
    [all, unknown] = [all + prompt.length, unknown + prompt.length - same];
    before = prompt;
  }
  return unknown / all;
}
