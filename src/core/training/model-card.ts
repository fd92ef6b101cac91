/**
 * @file The model card of the checkpoint that comes with Podium, in Markdown: what it was trained on, how long, how it stands
 * beside the others and beside its own repetitions, whether that is flattering or not.
 */
import { CONTENDER_WORDS, CONTENDERS } from './contenders';
import { STEP_COST } from './environment';
import { estimate, TRIAL_WORDS, TRIALS, type Estimate, type Trial } from './evaluation';
import { leadOnValidation, leads, mayReplaceHeuristic, type TrainingRecord } from './training-record';

/**
 * The whole card.
 * @param chosen the training whose weights come with Podium
 * @param all every training that is kept, the chosen one too
 */
export function modelCard(chosen: TrainingRecord, all: readonly TrainingRecord[]): string {
  const { course, trials } = chosen;
  const unseen = trials['unseen workers'];
  return `# The coordination policy

A small network (${chosen.parameters.toLocaleString('en')} parameters, kept in half precision) that reads a question and a pool and writes the skeleton of a
workflow: who does what, in at most five steps, and who sees what. Fixed wordings make subtasks of it. It runs in the page without a download
of a model. Revision \`${chosen.revision}\`. [What was tried](NOTES.md).

## What it was trained on

Simulated workers only: ${chosen.workers} of them, with strengths, descriptions, prices and ${chosen.pastRuns.toLocaleString('en')} graded past runs drawn at random, in pools
of two to seven. They really search and check puzzles of five families (number games, sums, orders, truth-tellers, change). It has never met a language model;
how it does with real ones is not known, and it learns nothing of your own workers but through their descriptions, declared strengths and your graded runs.

The reward is 0.5 for any valid workflow and 1 for a right answer, less ${STEP_COST} for each call. Training is GRPO (\`${course.loss}\` loss settings: see
\`src/core/training/grpo.ts\`), ${course.requests} questions × ${course.group} rollouts an update, after ${course.warmUp} supervised updates on usual shapes. The
description of a worker is left out in a part of the items. Second rounds are trained in every ${course.recursionEvery}th update.

| | |
|---|---|
| command | \`${chosen.command}\` |
| seed | ${course.seed} |
| updates made | ${chosen.updates} of ${course.updates} planned; the weights after update ${chosen.kept} did best on validation items and were kept |
| time | ${minutes(chosen.seconds)} by the clock |

${repetitions(all)}

## How it stands

Share of right answers on items that were not trained on, with 95 % intervals, and how much more often the policy is right on the same items (in percentage
points, paired). No second rounds. Three evaluation seeds. The intervals are over items; the table above shows how much another training seed changes.

${TRIALS.map((trial) => section(trial, chosen)).join('\n\n')}

${CONTENDERS.map((contender) => `- **${contender}**: ${CONTENDER_WORDS[contender]}`).join('\n')}

On unseen workers, by how many graded runs of each worker may be known at most. These workers have a past of about 90 runs each, so the last row is all there is:

| graded runs a worker, at most | policy | heuristic | policy leads by |
|---|---|---|---|
${chosen.byDepth
  .map(({ depth, comparison: { standings } }) => {
    return `| ${depth} | ${percent(standings.policy.right)} | ${percent(standings.heuristic.right)} | ${points(standings.heuristic.policyLeads)} |`;
  })
  .join('\n')}

## Goals

- Ten points over the best single worker on unseen workers: ${reached(unseen, 'best single', 0.1)}.
- Better than the heuristic on unseen workers: ${reached(unseen, 'heuristic', 0)}. ${
    mayReplaceHeuristic(trials)
      ? 'So it is the Conductor that Podium opens with; the heuristic stands in where it cannot be loaded.'
      : 'So the heuristic stays the default Conductor, and the policy is one more choice.'
  }
`;
}

function reached(trial: TrainingRecord['trials'][Trial], other: 'heuristic' | 'best single', least: number): string {
  const lead = trial.all.standings[other].policyLeads;
  const words = leads(trial, other, least)
    ? 'met, and certain at 95 %'
    : lead.mean > least
      ? 'met in the mean, not certain at 95 %'
      : 'not met';
  return `${words} (${points(lead)})`;
}

/** All trainings side by side, and the mean over the seeds of each loss setting. */
function repetitions(all: readonly TrainingRecord[]): string {
  const rows = all
    .toSorted((one, other) => one.course.loss.localeCompare(other.course.loss) || one.course.seed - other.course.seed)
    .map((training) => {
      const { course, updates, kept, curve, trials } = training;
      const unseen = trials['unseen workers'].all.standings;
      const last = curve.at(-1);
      return `| ${course.loss} | ${course.seed} | ${updates} | ${kept} | ${signed(leadOnValidation(training))} | ${signed((last?.right ?? 0) - training.heuristicOnValidation)} | ${percent(unseen.policy.right)} | ${points(unseen.heuristic.policyLeads)} | ${points(unseen['best single'].policyLeads)} | ${unseen.policy.calls.toFixed(1)} |`;
    });
  const means = (['default', 'paper'] as const).flatMap((loss) => {
    const own = all.filter(({ course }) => course.loss === loss);
    if (own.length < 2) return [];
    const over = (other: 'heuristic' | 'best single') => {
      return spread(own.map(({ trials }) => trials['unseen workers'].all.standings[other].policyLeads.mean));
    };
    return [
      `- \`${loss}\`, over ${own.length} training seeds: ${over('heuristic')} points over the heuristic and ${over('best single')} over the best single worker, on unseen workers (mean ± standard deviation).`,
    ];
  });
  return `## Training seeds and loss settings

Each was trained from nothing with workers, questions and noise of its own. On validation: points over the heuristic, with the weights that were kept and with the
last ones. On unseen workers: 1,200 items each, none trained on. The weights that come with Podium are those of the default loss that were furthest ahead on
*validation*; the unseen workers had no say in it. \`paper\`: advantages in units of the group's deviation, every rollout weighing the same, clip 0.2,
no entropy, no floor, no cost of a step, as published. \`calls\` is how many steps a workflow has: a policy that writes single steps has given up conducting.

| loss | seed | updates | kept after | validation, kept | validation, last | unseen: right | over the heuristic | over the best single | calls |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

${means.join('\n')}

![Lead over the heuristic on validation items, and steps of a workflow, over the updates](curve.svg)`;
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

function percent({ mean, low, high }: Estimate): string {
  return `${(100 * mean).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;
}

function points({ mean, low, high }: Estimate): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

/** A difference of shares in points. */
function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(100 * value).toFixed(1)}`;
}

function spread(values: readonly number[]): string {
  const { mean } = estimate(values);
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return `${signed(mean)} ± ${(100 * Math.sqrt(variance)).toFixed(1)}`;
}

function minutes(seconds: number): string {
  return `${(seconds / 60).toFixed(1)} min`;
}
