/** @file Formats a run as Markdown to paste into a document: facts, question, plans, steps, answer and note. */
import {
  costSentence,
  isSampleRun,
  isSimulated,
  questionText,
  workerOf,
  type DisagreementPart,
  type Run,
  type Settlement,
  type StepRun,
} from '../contract';
import { pairParts } from './pair-words';
import { seenByStep } from './seen-by-step';

/**
 * The run as Markdown. Texts by the user and by models become code blocks. Titles, names and tags are escaped.
 * @param disagreement where the independent answers of the run disagree
 */
export function runMarkdown(run: Run, disagreement: readonly DisagreementPart[] = []): string {
  const blocks = [
    `# ${inline(run.annotation.title) || 'Podium run'}`,
    factsOf(run)
      .map((fact) => `- ${fact}`)
      .join('\n'),
    '## Question',
    fenced(questionText(run.question)),
    ...run.rounds.flatMap(({ round, plan, steps }) => {
      const of = run.rounds.length > 1 ? ` of round ${round + 1}` : '';
      const first = run.rounds.slice(0, round).reduce((sum, each) => sum + each.steps.length, 0) + 1;
      return [
        `## Plan${of}`,
        ...(plan?.thought ? [fenced(plan.thought)] : []),
        ...(steps.length > 0 ? [planTable(run, steps, first)] : []),
        ...steps.flatMap((step) => stepBlocks(run, step, first)),
      ];
    }),
    ...(run.answer === null ? [] : ['## Answer', fenced(run.answer)]),
    ...pairParts(run).flatMap(({ title, items }) => [`## ${inline(title)}`, fenced(items.join('\n'))]),
    ...(disagreement.length > 0 ? ['## Where they disagree', disagreement.map(partLines).join('\n')] : []),
    ...(run.annotation.note ? ['## Note', fenced(run.annotation.note)] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function factsOf(run: Run): string[] {
  const { spent, grade, labels } = run;
  return [
    `Started: ${new Date(run.startedAt).toISOString()}`,
    `Conductor: ${inline(run.conductor.label)}`,
    `Status: ${run.status}${run.early ? ', ended early by the user' : ''}`,
    `Time: ${(run.time / 1000).toFixed(1)} s`,
    `Tokens: ${spent.estimated ? 'about ' : ''}${spent.input} in, ${spent.output} out`,
    `Cost: ${costSentence(spent)}${spent.usd > 0 && isSampleRun(run.id) ? ' (at made-up prices)' : ''}`,
    ...(isSimulated(run) ? ['Simulated workers took part.'] : []),
    ...(grade && grade.correct !== null
      ? [`Graded: ${grade.correct ? 'right' : 'wrong'}, by ${graderWords[grade.by]}`]
      : []),
    ...(labels.length > 0 ? [`Tags: ${labels.map(inline).join(', ')}`] : []),
  ];
}

function partLines({ title, items }: DisagreementPart): string {
  return [`- ${inline(title)}`, ...items.map((item) => `  - ${inline(item)}`)].join('\n');
}

const graderWords = { person: 'a person', grader: 'a grader' } as const;

function planTable(run: Run, steps: readonly StepRun[], first: number): string {
  const rows = steps.map((step, index) => {
    const sees = seenByStep(step.step, first).join(', ') || 'the question only';
    return `| ${first + index} | ${nameOf(run, step)} | ${step.step.role ?? ''} | ${sees} | ${step.status} |`;
  });
  return ['| Step | Worker | Role | Sees | Status |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** @param first number of the round's first step */
function stepBlocks(run: Run, step: StepRun, first: number): string[] {
  const output = step.output ?? step.attempts.at(-1)?.output ?? '';
  const verdicts = (step.verdicts ?? []).map((each) => `step ${first + each.step} ${each.verdict}`);
  return [
    `### Step ${first + step.index}: ${nameOf(run, step)}`,
    'Subtask:',
    fenced(step.step.subtask),
    ...(step.settled ? [settledSentence(step.settled, first)] : []),
    ...(output ? ['Output:', fenced(output)] : ['No output.']),
    ...(verdicts.length > 0 ? [`Verdicts: ${verdicts.join(', ')}.`] : []),
    ...(step.fault ? ['Fault:', fenced(step.fault.message)] : []),
  ];
}

function settledSentence({ from, evidence }: Settlement, first: number): string {
  const checks = evidence.map((step) => `step ${first + step}`).join(', ');
  return `Not called: the answer of step ${first + from} was settled by ${checks}.`;
}

function nameOf(run: Run, step: StepRun): string {
  return inline(workerOf(run, step)?.name ?? 'no worker');
}

/** Puts a text on one line and escapes its markup. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]()<>#+\-.!|~$&:]/g, '\\$&');
}

/** A text as a code block. The fence is longer than any fence inside the text, so the text can't end the block. */
function fenced(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
