/** @file Writes the training records, the selected weights and the model card to a folder such as `models/policy/`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint } from '../../src/core/policy/checkpoint';
import { curveDrawing } from './curve-drawing';
import { modelCard } from './model-card';
import { readSettlingRecord } from './settling-record';
import { chosenTraining, readTrainingRecord, recordName, type TrainingRecord } from './training-record';

/** Writes the record of a training run. Replaces a record with the same seed, loss and kind of start. */
export function writeRecord(folder: string, record: TrainingRecord): void {
  mkdirSync(join(folder, 'trainings'), { recursive: true });
  writeFileSync(join(folder, 'trainings', recordName(record)), `${JSON.stringify(record)}\n`);
}

/**
 * Writes the weights of a training run, but only if `chosenTraining` selects this run.
 * @returns a sentence about the result
 */
export function writeSelectedWeights(folder: string, weights: Checkpoint): string {
  const chosen = chosenTraining(readRecords(folder));
  if (!chosen)
    return 'Podium only ships weights that were trained with the default loss and pass the gate, and there are none.';
  if (chosen.revision === weights.revision) {
    writeFileSync(join(folder, 'checkpoint.json'), `${JSON.stringify(weights)}\n`);
    return 'Podium now ships these weights.';
  }
  return `Podium ships the weights of ${chosen.revision}, which have the largest lead on validation. Run \`${chosen.command}\` to reproduce them.`;
}

/** Writes the curves and the model card of all training runs. Writes nothing if no training run used the default loss. */
export function writeCard(folder: string): void {
  const all = readRecords(folder);
  const chosen = chosenTraining(all);
  if (!chosen) return;
  writeFileSync(join(folder, 'curve.svg'), curveDrawing(all));
  writeFileSync(join(folder, 'README.md'), modelCard(chosen, all, readSettlingRecord(folder)));
}

function readRecords(folder: string): TrainingRecord[] {
  const trainings = join(folder, 'trainings');
  const names = existsSync(trainings) ? readdirSync(trainings).toSorted() : [];
  return names.map((name) => {
    const read = readTrainingRecord(JSON.parse(readFileSync(join(trainings, name), 'utf8')));
    if (!read) throw new Error(`${name} is not a training record. Delete it and train that seed again.`);
    return read;
  });
}
