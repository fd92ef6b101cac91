/**
 * @file Prepares the Conductor of a method for a batch. A batch must measure exactly this Conductor. Therefore a plan fails if
 * the Conductor would need a fallback. A plan also fails if the policy's weights have changed since the batch was made.
 */
import {
  fault,
  type Ablation,
  type Conductor,
  type ConductorInfo,
  type Fault,
  type PlanEvent,
  type PlanPolicy,
} from '../../contract';
import { ablated } from './ablation';

interface Measured {
  readonly ablation?: Ablation | undefined;
  /**
   * Revision of the trained policy when the batch was made. Absent: the method doesn't use the policy, or an older version of
   * Podium made the batch.
   */
  readonly weights?: string | undefined;
}

/**
 * Wraps a Conductor, and applies the ablation to its workflows (see `ablation.ts`). A plan fails if the Conductor would need a
 * fallback, or if the policy in use has another revision than `weights`.
 */
export function batchConductor(conductor: Conductor, { ablation, weights }: Measured): Conductor {
  return ablated(alone(conductor, weights), ablation);
}

/**
 * The fault of a method that can't run, because the trained policy has changed since the batch was made.
 * @param label label of the method
 * @param weights revision of the policy when the batch was made
 * @param used revision of the policy in use
 */
export function otherWeights(label: string, weights: string, used: string): Fault {
  const message = `${label} was planned with the trained policy “${weights}”, but “${used}” is in use. Use “${weights}” under Train to continue, or start a new batch.`;
  return fault('worker-missing', message);
}

function alone(conductor: Conductor, weights: string | undefined): Conductor {
  const { info } = conductor;
  return {
    info,
    async *propose(request, signal) {
      for await (const event of conductor.propose(request, signal)) {
        if (event.type === 'plan-retried' && event.next === 'fallback') {
          yield failedInstead(event, info.label);
          return;
        }
        yield event;
        const used = event.type === 'plan-started' ? weightsOf(event) : undefined;
        if (weights !== undefined && used !== undefined && used !== weights) {
          const reason = otherWeights(info.label, weights, used);
          yield { type: 'plan-failed', problem: null, fault: reason, text: '', usage: null, cost: null };
          return;
        }
      }
    },
  };
}

/** The revision of the policy that took part in a plan. `undefined`: no policy took part. */
export function weightsOf({
  conductor,
  policy,
}: {
  readonly conductor: ConductorInfo;
  readonly policy?: PlanPolicy | null;
}): string | undefined {
  return policy?.revision ?? (conductor.kind === 'policy' ? conductor.model : undefined);
}

function failedInstead(
  {
    next: _next,
    correction: _correction,
    maxTokens: _maxTokens,
    ...lost
  }: Extract<PlanEvent, { type: 'plan-retried' }>,
  label: string,
): PlanEvent {
  const message = `${label} wrote no workflow that can run. ${lost.problem?.message ?? ''}`.trim();
  return { ...lost, type: 'plan-failed', fault: lost.fault ?? fault('plan-failed', message) };
}
