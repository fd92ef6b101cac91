/** @file The trainings that are kept in a folder, the weights that were chosen from them, and the card they make. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint } from '../../src/core/policy';
import {
  chosenTraining,
  curveDrawing,
  modelCard,
  readTrainingRecord,
  recordName,
  type TrainingRecord,
} from '../../src/core/training';

/** Keeps a training's record; one of the same seed and loss goes. */
export function keepRecord(folder: string, record: TrainingRecord): void {
  mkdirSync(join(folder, 'trainings'), { recursive: true });
  writeFileSync(join(folder, 'trainings', recordName(record)), `${JSON.stringify(record)}\n`);
}

/** Takes the weights of a kept training if it is the chosen one. @returns what was done, as a sentence */
export function adoptWeights(folder: string, weights: Checkpoint): string {
  const chosen = chosenTraining(keptTrainings(folder));
  if (!chosen)
    return 'Only weights that were trained with the default loss come with Podium, and no such training is kept.';
  if (chosen.revision === weights.revision) {
    writeFileSync(join(folder, 'checkpoint.json'), `${JSON.stringify(weights)}\n`);
    return 'These weights come with Podium now.';
  }
  return `Those of ${chosen.revision} come with Podium: with the default loss they were furthest ahead on validation. \`${chosen.command}\` makes them again.`;
}

/** Makes the curves and the model card from all trainings that are kept. */
export function makeCard(folder: string): void {
  const all = keptTrainings(folder);
  const chosen = chosenTraining(all);
  if (!chosen) return;
  writeFileSync(join(folder, 'curve.svg'), curveDrawing(all));
  writeFileSync(join(folder, 'README.md'), modelCard(chosen, all));
}

function keptTrainings(folder: string): TrainingRecord[] {
  const trainings = join(folder, 'trainings');
  const names = existsSync(trainings) ? readdirSync(trainings).toSorted() : [];
  return names.map((name) => {
    const read = readTrainingRecord(JSON.parse(readFileSync(join(trainings, name), 'utf8')));
    if (!read) throw new Error(`${name} is no record of a training. Take it away and train that seed again.`);
    return read;
  });
}
