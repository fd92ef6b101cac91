/** @file Splits the events of a run into two streams: the pieces of the answer, and a report of the plan and its steps. */
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
  /** Unsent pieces of step outputs. Until the plan is finished, it is unknown which step gives the answer. */
  #early: { readonly step: number; text: string }[] = [];
  #sent = '';

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.#printer = new ScorePrinter({ error: (text) => parts.reasoning(text), out: () => undefined });
  }

  read(run: Run, event: RunEvent): void {
    // The report leaves out the line that names the Conductor and the line that sums up the finished run. It ends with the first
    // piece of the answer, because clients show reasoning before the answer.
    const isLeftOut = event.type === 'run-started' || event.type === 'run-finished';
    if (!isLeftOut && this.#sent === '') this.#printer.print(run, event);
    // If another round can follow, it is not known which step gives the final answer. Then `finish` sends the whole answer.
    if (run.recursion || run.recursionMode === 'always') return;
    if (event.type === 'step-delta' && event.channel === 'content') {
      // Text that was already sent cannot be taken back.
      if (event.relabels) this.#early = this.#early.filter(({ step }) => step !== event.step);
      this.#early.push({ step: event.step, text: event.text });
    }
    const plan = run.rounds[0]?.plan;
    if (plan?.status !== 'finished' || !plan.workflow) return;
    const last = plan.workflow.steps.length - 1;
    for (const { step, text } of this.#early) if (step === last) this.#send(text);
    this.#early = [];
  }

  /**
   * Sends the part of the finished run's answer that follows the sent pieces. If the answer does not begin with the sent
   * pieces, sends nothing.
   */
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
