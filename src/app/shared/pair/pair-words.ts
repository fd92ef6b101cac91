/** @file Texts about a pair of answers. */
import { aloneWorker, spentOnAnswer, type AloneAnswer, type Preference, type Run } from '../../../core/contract';
import { aloneLabel } from '../../../core/analysis/pair-words';
import { isConductorFirst } from '../../../core/runs/pairs/draw';
import { count, money, plural } from '../../ui/figures';

/** The two answers in the order in which they are shown. */
export interface ShownPair {
  readonly a: PairAnswer;
  readonly b: PairAnswer;
}

export interface PairAnswer {
  readonly by: 'conductor' | 'alone';
  readonly text: string;
}

/** `null`: one of the answers is missing. */
export function shownPair(run: Run): ShownPair | null {
  const { answer, aloneAnswer } = run;
  if (answer === null || !aloneAnswer || aloneAnswer.output === null) return null;
  const own: PairAnswer = { by: 'conductor', text: answer };
  const second: PairAnswer = { by: 'alone', text: aloneAnswer.output };
  return isConductorFirst(run.seed, run.question.text) ? { a: own, b: second } : { a: second, b: own };
}

/** "Answer A is better: by GPT-x alone". */
export function voteSentence(run: Run, { a }: ShownPair, preferred: Preference): string {
  switch (preferred) {
    case 'conductor':
    case 'alone':
      return `You preferred answer ${a.by === preferred ? 'A' : 'B'}, ${preferred === 'alone' ? `by ${writerOf(run, 'alone')}` : 'by the workflow'}.`;
    case 'equal':
      return 'You found both answers equally good.';
    case 'neither':
      return 'You found both answers bad.';
    case 'skipped':
      return 'You did not compare the two answers.';
    default:
      return preferred satisfies never;
  }
}

/** "Workflow: 4 calls, $0.012, 1,200 characters". */
export function sideFacts(run: Run, { by, text }: PairAnswer): string {
  const { calls } = run.spent;
  const facts =
    by === 'conductor'
      ? [plural(calls, 'call'), costWords(spentOnAnswer(run))]
      : [
          ...(run.alone?.equalCost ? [plural(run.aloneAnswer?.calls ?? 1, 'call')] : []),
          costWords({ usd: run.aloneAnswer?.cost ?? 0, unpriced: isUnpriced(run.aloneAnswer) ? 1 : 0 }),
        ];
  return [...facts, `${count(text.length)} characters`].join(', ');
}

/** Who wrote an answer: "the workflow" or "GPT-x alone". */
export function writerOf(run: Run, by: PairAnswer['by']): string {
  return by === 'conductor'
    ? `The workflow of ${run.conductor.label}`
    : aloneLabel(nameOf(run), run.alone?.equalCost === true);
}

/** The name of the worker that answers alone. */
export function nameOf(run: Run): string {
  return aloneWorker(run)?.name ?? 'One worker';
}

function costWords({ usd, unpriced }: { readonly usd: number; readonly unpriced: number }): string {
  if (unpriced > 0) return usd > 0 ? `at least ${money(usd)}` : 'cost unknown';
  return usd === 0 ? 'free' : money(usd);
}

function isUnpriced(answer: AloneAnswer | null): boolean {
  return answer?.cost === null;
}
