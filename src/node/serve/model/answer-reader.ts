/** @file Splits the events of a run into two streams: the answer while it is written, and a report of everything before it. */
import type { Run, RunEvent } from '../../../core/contract';
import { ScorePrinter } from '../../run/score-printer';

export interface AnswerParts {
  /** The plan and the progress of its steps, line by line. */
  reasoning(text: string): void;
  /** A piece of the answer. */
  content(text: string): void;
}

export class AnswerReader {
  readonly #parts: AnswerParts;
  readonly #printer: ScorePrinter;
  /** Content that arrived before the plan was finished. Until then, it is unknown which step is the last. */
  #early: { readonly step: number; text: string }[] = [];
  #sent = '';

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.#printer = new ScorePrinter({ error: (text) => parts.reasoning(text), out: () => undefined });
  }

  read(run: Run, event: RunEvent): void {
    // The report leaves out the first and the last line of the printer, because these lines describe the run and not its work.
    if (event.type !== 'run-started' && event.type !== 'run-finished') this.#printer.print(run, event);
    // If another round can follow, no step is known to give the final answer. Then `finish` sends the whole answer.
    if (run.recursion || run.recursionMode === 'always') return;
    if (event.type === 'step-delta' && event.channel === 'content')
      this.#early.push({ step: event.step, text: event.text });
    const plan = run.rounds[0]?.plan;
    if (plan?.status !== 'finished' || !plan.workflow) return;
    const last = plan.workflow.steps.length - 1;
    for (const { step, text } of this.#early) if (step === last) this.#send(text);
    this.#early = [];
  }

  /** Sends the rest of the answer of a finished run. */
  finish(run: Run): void {
    const answer = run.answer ?? '';
    if (answer.startsWith(this.#sent)) this.#send(answer.slice(this.#sent.length));
  }

  #send(text: string): void {
    if (text === '') return;
    this.#sent += text;
    this.#parts.content(text);
  }
}
