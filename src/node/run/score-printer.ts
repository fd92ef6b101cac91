/** @file Prints a live run: the plan and its steps on the error output, and only the answer on the standard output. */
import {
  costSentence,
  isDelta,
  leftOutSteps,
  money,
  workerOf,
  type Fault,
  type Round,
  type Run,
  type RunEvent,
  type StepRun,
} from '../../core/contract';
import { roleOf } from '../../core/analysis/roles';
import { seenByStep } from '../../core/analysis/seen-by-step';
import type { Terminal } from '../command';
import { oneLine, printable } from '../printable';
import { plainText } from './plain-text';

/** Maximum length of a printed subtask, in characters. */
const LONGEST_SUBTASK = 100;
/** Maximum length of a printed error message, in characters. */
const LONGEST_MESSAGE = 300;

export class ScorePrinter {
  readonly #terminal: Pick<Terminal, 'out' | 'error' | 'keepsMarkdown'>;

  constructor(terminal: Pick<Terminal, 'out' | 'error' | 'keepsMarkdown'>) {
    this.#terminal = terminal;
  }

  print(run: Run, event: RunEvent): void {
    if (isDelta(event)) return;
    switch (event.type) {
      case 'run-started':
        return this.#line(`Conductor: ${run.conductor.label}, seed ${run.seed}`);
      case 'run-resumed':
        return this.#line('Resumed. Finished steps are not called again.');
      case 'plan-retried':
        return this.#line(`Planning again. ${event.fault ? faultWords(event.fault) : ''}`);
      case 'plan-finished':
        return this.#plan(run, run.rounds[event.round]);
      case 'plan-failed':
        return this.#line(`The plan failed. ${faultWords(event.fault)}`);
      case 'step-started':
        return this.#line(`▸ ${this.#stepName(run, event)}${withoutWords(event.without)}`);
      case 'step-retried':
        return this.#line(`↻ ${this.#stepName(run, event)}: ${faultWords(event.fault)}`);
      case 'step-finished': {
        const { usage, cost } = event;
        const facts = [
          ...(usage ? [`${usage.input + usage.output} tokens`] : []),
          ...(cost === null ? [] : [money(cost)]),
        ];
        return this.#line(`✓ ${[this.#stepName(run, event), ...facts].join(', ')}`);
      }
      case 'step-failed':
        return this.#line(`✗ ${this.#stepName(run, event)}: ${faultWords(event.fault)}`);
      case 'step-settled':
        return this.#line(`○ ${this.#stepName(run, event)}: settled, not called`);
      case 'step-skipped':
        return this.#line(`– ${this.#stepName(run, event)}: skipped`);
      case 'cap-reached':
        return this.#line(`The cap on ${event.cap === 'usd' ? 'the cost' : event.cap} was reached.`);
      case 'run-finished':
        this.#line(summaryOf(run));
        if (leftOutSteps(run).length > 0)
          this.#line('The answer is incomplete: it was made without steps that failed.');
        return this.#answer(printable(run.answer ?? ''));
      case 'run-failed':
      case 'run-cancelled':
      case 'run-interrupted':
        return this.#line(`No answer. ${summaryOf(run)}`);
      default:
        return;
    }
  }

  #answer(answer: string): void {
    this.#terminal.out(`${this.#terminal.keepsMarkdown === true ? answer : plainText(answer)}\n`);
  }

  #plan(run: Run, round: Round | undefined): void {
    if (!round) return;
    const of = run.rounds.length > 1 ? ` of round ${round.round + 1}` : '';
    const { steps } = round;
    this.#line(`Plan${of}: ${steps.length === 1 ? '1 step' : `${steps.length} steps`}`);
    for (const step of steps) {
      const sees = seenByStep(step.step).join(', ');
      const subtask = oneLine(step.step.subtask, LONGEST_SUBTASK);
      this.#line(`  ${nameOf(run, steps, step)}${sees === '' ? '' : `, sees ${sees}`}: ${subtask}`);
    }
  }

  #stepName(run: Run, { round, step }: { readonly round: number; readonly step: number }): string {
    const steps = run.rounds[round]?.steps ?? [];
    const found = steps[step];
    return found ? nameOf(run, steps, found) : `Step ${step + 1}`;
  }

  #line(text: string): void {
    this.#terminal.error(`${printable(text)}\n`);
  }
}

/** The name of a step as on the page: "Step 1, solve, Anvil". */
function nameOf(run: Run, steps: readonly StepRun[], step: StepRun): string {
  const role = roleOf(
    steps.map((each) => each.step),
    step.index,
  );
  return `Step ${step.index + 1}, ${role}, ${workerOf(run, step)?.name ?? 'no worker'}`;
}

/** The message of a fault, and below it the words of the server. */
function faultWords({ message, detail }: Fault): string {
  const words = oneLine(message, LONGEST_MESSAGE);
  return detail === undefined ? words : `${words}\n  ${oneLine(detail, LONGEST_MESSAGE)}`;
}

function withoutWords(without: readonly number[] = []): string {
  if (without.length === 0) return '';
  const steps = without.map((step) => step + 1).join(', ');
  return `, without ${without.length === 1 ? 'step' : 'steps'} ${steps}, which failed`;
}

function summaryOf({ time, spent }: Run): string {
  const calls = spent.calls === 1 ? '1 call' : `${spent.calls} calls`;
  return `${(time / 1000).toFixed(1)} s, ${calls}, ${spent.input + spent.output} tokens, ${costSentence(spent)}`;
}
