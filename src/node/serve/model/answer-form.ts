/**
 * @file Forms that a client can require of an answer, such as JSON or calls of tools. The worker that gives the answer gets the
 * form as a part of its subtask, so every worker can be used, and the cost of the words is known before the call.
 */
import type { Conductor, PlanEvent, Workflow } from '../../../core/contract';

export interface AnswerForm<Value> {
  /** The end of the subtask of the step that gives the answer. */
  readonly instruction: string;
  read(answer: string): ReadAnswer<Value>;
}

/** `problem` completes the sentence “The answer …”. */
export type ReadAnswer<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/** A Conductor whose plans end with the instruction. No step starts before it is known which step is the last. */
export function withInstruction(conductor: Conductor, instruction: string): Conductor {
  return {
    info: conductor.info,
    async *propose(request, signal): AsyncGenerator<PlanEvent, void, undefined> {
      const isConductor = (worker: number) => request.pool[worker]?.kind === 'conductor';
      for await (const event of conductor.propose(request, signal)) {
        if (event.type === 'plan-step-known') continue;
        yield event.type === 'plan-finished'
          ? { ...event, workflow: instructed(event.workflow, instruction, isConductor) }
          : event;
      }
    },
  };
}

/** If the last step only asks for another round, that round's plan gets the instruction. */
function instructed({ steps }: Workflow, instruction: string, isConductor: (worker: number) => boolean): Workflow {
  return {
    steps: steps.map((step, index) =>
      index < steps.length - 1 || isConductor(step.worker)
        ? step
        : { ...step, subtask: `${step.subtask}\n\n${instruction}` },
    ),
  };
}

/** The subtask that asks a worker to correct its answer. */
export function repairSubtask(answer: string, problem: string, instruction: string): string {
  return `This was your answer to the overall task:\n\n<earlier-answer>\n${answer}\n</earlier-answer>\n\nThe answer ${problem}. Give it again, correctly.\n\n${instruction}`;
}

/** Removes a Markdown fence around the whole text. */
export function withoutFence(text: string): string {
  return /^```[^\n]*\n([^]*?)\n?```$/.exec(text.trim())?.[1]?.trim() ?? text.trim();
}
