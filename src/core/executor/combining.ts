/**
 * @file The round that combines the finished steps of a run into one answer, after the user has ended the run early. Its plan has a
 * single step, which sees everything that was done.
 */
import type { Step, Workflow } from '../contract';
import type { RunContext } from './context';
import type { OpenRound } from './opening';

/** The step that combines the outputs of all earlier rounds. @param worker index in the pool */
export function combiningStep(worker: number): Step {
  return { worker, subtask: SUBTASK, access: [], seesEarlier: true, role: 'aggregate' };
}

const SUBTASK =
  'Combine the responses above into the final answer to the overall task. Some responses may be missing, because the work was ended early. Keep what the responses agree on, decide where they differ, and give the complete answer in the form that the task asks for.';

/** The plan of the round. If the round has no plan yet, emits the events of its plan. */
export function planCombining(
  { events, snapshot, needsApproval }: RunContext,
  { round, begun, workflow }: OpenRound,
  worker: number,
): Workflow {
  if (workflow) return workflow;
  const planned = { steps: [combiningStep(worker)] };
  if (!begun) events.emit({ type: 'round-started', round });
  events.emit({ type: 'plan-started', round, conductor: snapshot.conductor, messages: [] });
  events.emit({
    type: 'plan-finished',
    round,
    workflow: planned,
    thought: '',
    text: '',
    source: 'person',
    usage: null,
    cost: null,
    finishReason: null,
  });
  if (needsApproval) events.emit({ type: 'plan-approved', round });
  return planned;
}
