/** @file Words for where answers disagree, for the page, Markdown and replay files. */
import type { AnswerAnalysis, AnswerComparison, DisagreementPart, Run } from '../contract';
import {
  answersDigest,
  changesOfMind,
  disagreementOf,
  independentAnswers,
  type AnswerGroup,
  type ChangedMind,
  type Disagreement,
} from './disagreement';

/** Where the independent answers of a run disagree. Empty if there are fewer than two of them. */
export function disagreementIn(run: Run): readonly DisagreementPart[] {
  const answers = independentAnswers(run);
  if (answers.length < 2) return [];
  const digest = answersDigest(run.question.text, answers);
  return disagreementParts(disagreementOf(answers, changesOfMind(run)), comparisonIn([run], digest));
}

/** The newest comparison of these answers that a worker has written. `null`: there is none. */
export function comparisonIn(
  runs: readonly Pick<Run, 'compared'>[],
  sha256: string,
): (AnswerComparison & { readonly analysis: AnswerAnalysis }) | null {
  for (const call of runs.flatMap(({ compared }) => compared).toReversed()) {
    const { analysis } = call;
    if (analysis && call.sha256 === sha256) return { ...call, analysis };
  }
  return null;
}

/** What can be said without a call, and then what a worker has said. */
export function disagreementParts(
  found: Disagreement,
  comparison: { readonly by: string; readonly analysis: AnswerAnalysis } | null,
): readonly DisagreementPart[] {
  if (!comparison) return exactParts(found);
  return [...exactParts({ ...found, uncompared: [] }), ...analysisParts(comparison)];
}

/** What can be said without a call. */
function exactParts({ of, groups, uncompared, changes }: Disagreement): readonly DisagreementPart[] {
  const { agreed, against, alone } = sortedGroups(groups);
  return parts([
    ['Consensus', agreed ? [`${agreed.by.length} of ${of} say ${groupWords(agreed)}`] : []],
    ['Contradictions', against.map(groupWords)],
    ['Only one said', alone.map(groupWords)],
    ['Changed their mind', changes.map(changeWords)],
    ['Can’t be compared exactly', uncompared.length > 0 ? [`The longer answers of ${listed(uncompared)}.`] : []],
  ]);
}

/**
 * The most frequent answer, if several gave it, the answers against it, and those that a single one gave.
 * @param groups the largest first
 */
function sortedGroups(groups: readonly AnswerGroup[]) {
  const [first, second] = groups;
  const agreed = first && first.by.length > Math.max(1, second?.by.length ?? 0) ? first : null;
  const others = groups.filter((group) => group !== agreed);
  const alone = agreed ? others.filter(({ by }) => by.length === 1) : [];
  const against = groups.length > 1 ? others.filter((group) => !alone.includes(group)) : [];
  return { agreed, against, alone };
}

/** What the tests of a task say about programs. @param groups programs that fail the same tests, the largest group first */
export function testedAnalysis(groups: readonly AnswerGroup[]): AnswerAnalysis {
  const { agreed, against, alone } = sortedGroups(groups);
  return {
    consensus: agreed ? [groupWords(agreed)] : [],
    contradictions: against.map(groupWords),
    gaps: [],
    unique_insights: alone.map(groupWords),
    blind_spots: [],
  };
}

/** What a worker has said about the answers. */
function analysisParts({
  by,
  analysis,
}: {
  readonly by: string;
  readonly analysis: AnswerAnalysis;
}): readonly DisagreementPart[] {
  const said = parts([
    ['Consensus', analysis.consensus],
    ['Contradictions', analysis.contradictions],
    ['Said by some', analysis.gaps],
    ['Only one said', analysis.unique_insights],
    ['Said by nobody', analysis.blind_spots],
    ['Changed their mind', analysis.changes ?? []],
  ]);
  return said.map(({ title, items }) => ({ title: `${title}, according to ${by}`, items }));
}

function parts(all: readonly (readonly [string, readonly string[]])[]): DisagreementPart[] {
  return all.flatMap(([title, items]) => (items.length > 0 ? [{ title, items }] : []));
}

function groupWords({ answer, by }: AnswerGroup): string {
  return `${answer}: ${listed(by)}`;
}

function changeWords({ by, from, to, saw, followed }: ChangedMind): string {
  const seen = saw.length > 0 ? listed(saw) : 'only its own steps';
  const who = followed.length > 0 ? `, like ${listed(followed)}` : '';
  return `${by}, from ${from} to ${to}${who}, after seeing ${seen}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
