/** @file Tests the model card of the policy, and that the shipped weights have the best validation result. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import checkpoint from '../../../models/policy/checkpoint.json';
import { CONTENDERS, type Contender } from '../../../scripts/train/contenders';
import type { PlayResult } from '../../../src/core/training/evaluation/players';
import { curveDrawing } from '../../../scripts/train/curve-drawing';
import { summarize } from '../../../scripts/train/comparison';
import { modelCard } from '../../../scripts/train/model-card';
import { DEFAULT_COURSE, type LossName } from '../../../src/core/training/learning/course-options';
import { readSettlingRecord } from '../../../scripts/train/settling-record';
import {
  chosenTraining,
  mayReplaceHeuristic,
  readTrainingRecord,
  recordName,
  type TrainingRecord,
} from '../../../scripts/train/training-record';

/**
 * Returns the record of a training. On half of all items, every contender is right.
 * @param lead the fraction of all items on which only the policy is right
 */
function training(lead: number, { seed = 1, loss = 'default' as LossName, validation = 0.7 } = {}): TrainingRecord {
  const results = Array.from({ length: 1_000 }, (_, index) =>
    each((contender) => index < 500 || (contender === 'policy' && index < 500 + 1_000 * lead)),
  );
  const comparison = summarize(results);
  const trial = { all: comparison, seeds: [comparison] };
  return {
    revision: `test-${loss}-${seed}`,
    command: 'npm run train',
    course: { ...DEFAULT_COURSE, settings: { stepCost: 0.02 }, seed, loss },
    workers: 10,
    pastRuns: 100,
    parameters: 72_000,
    seconds: 600,
    processorSeconds: 300,
    updates: 100,
    kept: 100,
    curve: [
      { update: 50, right: 0.6, calls: 4, training: 0.5 },
      { update: 100, right: validation, calls: 4, training: 0.6 },
    ],
    heuristicOnValidation: 0.65,
    trials: { 'known workers': trial, 'unseen workers': trial, 'built-in workers': trial },
    byDepth: [{ depth: 0, comparison }],
  };
}

function each(isRight: (contender: Contender) => boolean): Record<Contender, PlayResult> {
  const entries = CONTENDERS.map((contender) => [
    contender,
    { correct: isRight(contender), calls: 1, cutShort: false },
  ]);
  return Object.fromEntries(entries) as Record<Contender, PlayResult>;
}

describe('the model card', () => {
  it('states which goals are met', () => {
    const good = modelCard(training(0.2), [training(0.2)]);
    expect(good).toContain('met, certain at 95 %');
    expect(good).not.toContain('not met');
    const bad = modelCard(training(0), [training(0)]);
    expect(bad).toContain('not met');
    expect(bad).toContain('the heuristic remains the default');
  });

  it('lists every training and the mean over seeds', () => {
    const all = [training(0.1, { seed: 2 }), training(0.2, { seed: 1 }), training(0.05, { loss: 'paper' })];
    const card = modelCard(training(0.2), all);
    const rows = card.split('\n').filter((line) => /^\| (?:default|paper) \|/.test(line));
    expect(rows.map((row) => row.split(' | ').slice(0, 2).join(' '))).toEqual([
      '| default 1',
      '| default 2',
      '| paper 1',
    ]);
    expect(card).toContain('mean of 2 training seeds: +15.0 ± 7.1 points over the heuristic');
  });

  it('shows what the skipped steps would have done, if the shipped weights were measured', () => {
    const settling = { cutShort: 100, right: 80, repaired: 10, broken: 5 };
    const record = { revision: 'test-default-1', planners: [{ name: 'policy', questions: 200, settling }] };
    const card = modelCard(training(0.2), [training(0.2)], record);
    expect(card).toContain('| policy | 200 | 100 | 80.0 % | 10 | 5 | +2.5 |');
    const other = modelCard(training(0.2), [training(0.2)], { ...record, revision: 'others' });
    expect(other).toBe(modelCard(training(0.2), [training(0.2)]));
  });

  it('lets the policy replace the heuristic only if its lead is statistically certain', () => {
    expect(mayReplaceHeuristic(training(0.05).trials)).toBe(true);
    expect(mayReplaceHeuristic(training(0.001).trials)).toBe(false);
  });

  it('is accompanied by a drawing of the learning curve, with two lines for each training', () => {
    const drawing = curveDrawing([training(0.1), training(0.2, { seed: 2 })]);
    expect(drawing.match(/<polyline/g)?.length).toBe(4);
    expect(drawing).not.toMatch(/NaN|Infinity/);
  });
});

describe('the selection of weights', () => {
  it('chooses the training with the best validation result among those with the default loss', () => {
    const all = [
      training(0.2, { seed: 1, validation: 0.7 }),
      training(0.1, { seed: 2, validation: 0.8 }),
      training(0.3, { seed: 3, validation: 0.9, loss: 'paper' }),
    ];
    expect(chosenTraining(all)?.course.seed).toBe(2);
    expect(chosenTraining([])).toBeNull();
  });

  it('ignores trainings that fail the gate, and prefers those that pass it to those that were not compared', () => {
    const lead = (low: number) => ({ mean: 0.02, low, high: 0.04 });
    const standing = { right: lead(0), calls: 3 };
    const heldOut = (low: number) => ({
      items: 4_000,
      candidate: standing,
      heuristic: { ...standing, lead: lead(low) },
      inUse: { ...standing, lead: lead(low), revision: 'before' },
    });
    const before = training(0.2, { seed: 1, validation: 0.9 });
    const failed = { ...training(0.2, { seed: 2, validation: 0.95 }), heldOut: heldOut(-0.02) };
    const passed = { ...training(0.2, { seed: 3, validation: 0.8 }), heldOut: heldOut(0.01) };
    expect(chosenTraining([before, failed])?.course.seed).toBe(1);
    expect(chosenTraining([before, failed, passed])?.course.seed).toBe(3);
    expect(chosenTraining([failed])).toBeNull();
  });

  it('reads a record unchanged from JSON, and rejects an invalid record', () => {
    const record = training(0.1);
    expect(readTrainingRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
    expect(readTrainingRecord({ ...record, curve: [] })).toBeNull();
    expect(readTrainingRecord('a text')).toBeNull();
  });
});

describe('the shipped files', () => {
  const folder = new URL('../../../models/policy/', import.meta.url);
  const names = readdirSync(new URL('trainings/', folder)).toSorted();
  const all = names.map((name) => {
    const record = readTrainingRecord(JSON.parse(readFileSync(new URL(`trainings/${name}`, folder), 'utf8')));
    if (!record) throw new Error(`${name} is not a training record.`);
    return record;
  });

  it('include the checkpoint of the chosen training, and records with matching file names', () => {
    expect(all.map(recordName)).toEqual(names);
    expect(checkpoint.revision).toBe(chosenTraining(all)?.revision);
  });

  it('include the card and the curve as they are generated from the records', () => {
    const chosen = chosenTraining(all);
    expect(chosen && modelCard(chosen, all, readSettlingRecord(folder.pathname))).toBe(
      readFileSync(new URL('README.md', folder), 'utf8'),
    );
    expect(curveDrawing(all)).toBe(readFileSync(new URL('curve.svg', folder), 'utf8'));
  });
});
