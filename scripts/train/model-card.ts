/**
 * @file Generates the model card of the shipped policy in Markdown. The card describes the training
 * data and the training run. The card also compares the policy with other planners, and compares the
 * training seeds.
 */
import type { Interval } from '../../src/core/contract';
import { points as signedPoints } from '../../src/core/training/evaluation/gate';
import { TRIAL_WORDS, TRIALS, type Trial } from './comparison';
import { CONTENDER_WORDS, CONTENDERS } from './contenders';
import { settlingSection, type SettlingRecord } from './settling-record';
import { leadOnValidation, leads, mayReplaceHeuristic, type TrainingRecord } from './training-record';
import { estimate } from '../../src/core/training/evaluation/trial';

/** The cost of a call in training runs whose record does not state it. */
const COST_BEFORE = 0.01;

const ENVIRONMENT = `
Settled steps are skipped in training, as in runs. In half of the pools, the checks of the workers err both ways or give no verdict, their repairs break some
right answers, and workers of one family share blind spots. Some of them behave like language models: strong in one kind of puzzles, verbose, sometimes malformed.
In the other pools, workers work as those that come with Podium.
The unseen workers of the results below err more often than those in training.`;

const BEFORE = ` The runs
from random weights are from before workers erred and settled steps were skipped, so their results can't be compared with those of the others.`;

/**
 * Returns the model card in Markdown.
 * @param chosen the training run whose weights are shipped
 * @param all all training records, including the chosen one
 * @param settling what skipping settled steps does. `null`: not measured
 */
export function modelCard(
  chosen: TrainingRecord,
  all: readonly TrainingRecord[],
  settling: SettlingRecord | null = null,
): string {
  const { course, trials } = chosen;
  const unseen = trials['unseen workers'];
  return `# The coordination policy

The policy is a small network (${chosen.parameters.toLocaleString('en')} parameters, stored in half precision) that plans. It reads a question and a pool of workers. It writes the skeleton
of a workflow: at most five steps, each with a worker, a role and the earlier steps whose outputs the worker sees. The texts of the subtasks come from
fixed templates. The policy runs in the page and needs no download of a language model. Revision \`${chosen.revision}\`. [What was tried](NOTES.md).

## Training data

The policy is trained on simulated workers only: ${chosen.workers} workers with random strengths, descriptions and prices, and ${chosen.pastRuns.toLocaleString('en')}
simulated graded runs. A training item is a question with a pool of two to seven workers. The simulated workers actually solve and check puzzles of five
families (number games, arithmetic, ordering, truth-tellers, change). The policy has never been trained or measured with language models as workers,
so its performance with them is unknown.${chosen.heldOut ? ENVIRONMENT : ''} About your workers, the policy reads only their descriptions, their declared strengths and your graded runs.

The reward is 0.5 for a valid workflow with a wrong answer and 1 for a right answer, minus ${course.settings?.stepCost ?? COST_BEFORE} for each call. The training method is GRPO
(\`${course.loss}\` loss settings, see \`src/core/training/learning/grpo.ts\`) with ${course.requests} questions × ${course.group} rollouts in each update, after ${course.pretrainingUpdates} updates of
supervised pretraining on common workflow shapes. During training, the descriptions of some workers are hidden. Every ${course.recursionEvery}th update trains second rounds.

| | |
|---|---|
| command | \`${chosen.command}\` |
| seed | ${course.seed} |
| updates | ${chosen.updates} of ${course.updates} planned. The weights after update ${chosen.kept} are the best on validation items and were selected |
| wall time | ${minutes(chosen.seconds)} |

${repetitions(all)}

## Results

The tables show the share of right answers on held-out items with 95 % intervals, and the paired difference between the policy and each other
contender in percentage points. The contenders are described below the tables. No second rounds are allowed. The first three tables combine three
evaluation seeds. The intervals cover the variation over items. The table above shows the variation over training seeds.

${TRIALS.map((trial) => section(trial, chosen)).join('\n\n')}

${CONTENDERS.map((contender) => `- **${contender}**: ${CONTENDER_WORDS[contender]}`).join('\n')}

The next table shows the results with unseen workers, by the maximum number of graded runs known about each worker. Each of these workers has
about 90 runs, so the last row includes all runs:

| graded runs per worker, at most | policy | heuristic | policy leads by |
|---|---|---|---|
${chosen.byDepth
  .map(({ depth, comparison: { standings } }) => {
    return `| ${depth} | ${percent(standings.policy.right)} | ${percent(standings.heuristic.right)} | ${points(standings.heuristic.policyLeads)} |`;
  })
  .join('\n')}
${settlingSection(settling, chosen.revision)}
## Goals

- Ten points over the best single worker on unseen workers: ${reached(unseen, 'best single', 0.1)}.
- Better than the heuristic on unseen workers: ${reached(unseen, 'heuristic', 0)}. ${
    mayReplaceHeuristic(trials)
      ? 'Therefore the policy is the default Conductor. The heuristic is the fallback when the policy cannot be loaded.'
      : 'Therefore the heuristic remains the default Conductor, and the policy is an option.'
  }
`;
}

function reached(
  trial: TrainingRecord['trials'][Trial],
  other: 'heuristic' | 'best single',
  threshold: number,
): string {
  const lead = trial.all.standings[other].policyLeads;
  const words = leads(trial, other, threshold)
    ? 'met, certain at 95 %'
    : lead.mean > threshold
      ? 'met on average, not certain at 95 %'
      : 'not met';
  return `${words} (${points(lead)})`;
}

/** A table of all training runs. Below it, for each loss setting, the policy's lead, averaged across seeds. */
function repetitions(all: readonly TrainingRecord[]): string {
  const rows = all
    .toSorted((one, other) => one.course.loss.localeCompare(other.course.loss) || one.course.seed - other.course.seed)
    .map((training) => {
      const { course, updates, kept, curve, trials } = training;
      const unseen = trials['unseen workers'].all.standings;
      const last = curve.at(-1);
      const { loss, start } = course;
      return `| ${start ? `${loss}, from \`${start}\`` : loss} | ${course.seed} | ${updates} | ${kept} | ${signedPoints(leadOnValidation(training))} | ${signedPoints((last?.right ?? 0) - training.heuristicOnValidation)} | ${percent(unseen.policy.right)} | ${points(unseen.heuristic.policyLeads)} | ${points(unseen['best single'].policyLeads)} | ${unseen.policy.calls.toFixed(1)} |`;
    });
  const means = (['default', 'paper'] as const).flatMap((loss) => {
    const own = all.filter(({ course, heldOut }) => course.loss === loss && !heldOut);
    if (own.length < 2) return [];
    const over = (other: 'heuristic' | 'best single') => {
      return spread(own.map(({ trials }) => trials['unseen workers'].all.standings[other].policyLeads.mean));
    };
    return [
      `- \`${loss}\`, mean of ${own.length} training seeds: ${over('heuristic')} points over the heuristic and ${over('best single')} over the best single worker, on unseen workers (± standard deviation).`,
    ];
  });
  return `## Training seeds and loss settings

Each training run has its own workers, questions and noise, and starts from random weights if its row names no others.${all.some(({ heldOut }) => heldOut) ? BEFORE : ''} The *heuristic* is the built-in Conductor without training.
The validation columns show the lead over the heuristic in percentage points, with the selected weights and with the last weights. The columns from
*unseen* on show the results on 1,200 held-out items with workers that are in no training item. Podium ships the weights with the default loss and the
largest lead on *validation*. The results on unseen workers did not influence the selection.
\`paper\` stands for the published loss settings: advantages divided by the group's standard deviation, equal weight for every rollout, clip 0.2, no entropy bonus,
no floor (no choices that are sampled uniformly), no step cost. \`calls\` is the number of steps in a workflow. A policy that writes only workflows of one step no longer coordinates workers.

| loss | seed | updates | selected | validation, selected | validation, last | unseen: right | over the heuristic | over the best single | calls |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

${means.join('\n')}

![Lead over the heuristic on validation items and steps in a workflow, by update](curve.svg)`;
}

function section(trial: Trial, { trials }: TrainingRecord): string {
  const { all, seeds } = trials[trial];
  const rows = CONTENDERS.map((contender) => {
    const { right, calls, policyLeads } = all.standings[contender];
    const lead = contender === 'policy' ? '' : points(policyLeads);
    const each = seeds.map(({ standings }) => (100 * standings[contender].right.mean).toFixed(1)).join(' / ');
    return `| ${contender} | ${percent(right)} | ${each} | ${calls.toFixed(1)} | ${lead} |`;
  });
  return `### ${trial.charAt(0).toUpperCase()}${trial.slice(1)}: ${TRIAL_WORDS[trial]} (${all.items.toLocaleString('en')} items)

| | right | each seed | calls | policy leads by |
|---|---|---|---|---|
${rows.join('\n')}`;
}

function percent({ mean, low, high }: Interval): string {
  return `${(100 * mean).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;
}

function points({ mean, low, high }: Interval): string {
  return `${signedPoints(mean)} (${signedPoints(low)} to ${signedPoints(high)})`;
}

function spread(values: readonly number[]): string {
  const { mean } = estimate(values);
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return `${signedPoints(mean)} ± ${(100 * Math.sqrt(variance)).toFixed(1)}`;
}

function minutes(seconds: number): string {
  return `${(seconds / 60).toFixed(1)} min`;
}
