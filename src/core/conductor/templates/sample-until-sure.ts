/**
 * @file A template in which one worker answers until its answers agree often enough (adaptive consistency, arXiv 2305.11860). The
 * first samples are independent. Each later sample is called only if the samples before it leave doubt. If the answers can't be
 * compared, for example because they are prose, all samples are called, and then the worker decides.
 */
import type { Step } from '../../contract';
import { SUBTASK } from '../wording';
import { oneStep, range, soloTemplate } from './template';

const MOST_SAMPLES = 8;
/** Number of samples that are called at the same time. Fewer samples never agree often enough. */
const FIRST_SAMPLES = 4;

export const sampleUntilSure = soloTemplate('sample-until-sure', (request, worker, reason) => {
  const samples = Math.min(MOST_SAMPLES, request.maxSteps - 1);
  if (samples < 2)
    return {
      workflow: { steps: [oneStep(worker)] },
      thought: `${reason} and answers only once, because of the step limit.`,
    };
  const sample = (place: number): Step =>
    place < FIRST_SAMPLES
      ? oneStep(worker)
      : { ...oneStep(worker), agreement: { among: range(0, place), rule: 'sure' } };
  const among = range(0, samples);
  const decide: Step = {
    worker,
    subtask: SUBTASK.decide,
    access: among,
    role: 'decide',
    agreement: { among, rule: 'most' },
  };
  return {
    workflow: { steps: [...among.map(sample), decide] },
    thought: `${reason} and answers until one answer is clearly the most frequent, at most ${samples} times.`,
  };
});
