/** @file Makes complete runs of simulated workers, each as a list of events. */
import { isKnownEvent, type RunEvent } from '../../src/core/contract';
import { simulatedRuns } from '../fixtures/simulated-runs';

export async function runsOfEvents(count: number): Promise<readonly (readonly RunEvent[])[]> {
  return [...(await simulatedRuns(count)).values()].map((events) => events.filter(isKnownEvent));
}
