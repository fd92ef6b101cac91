import { expect, it, vi } from 'vitest';
import type { Fault } from '../../../../src/core/contract';
import type { MeasurementState } from '../../../../src/core/contract/measurement/measurement-state';
import { ReportClient } from '../../../../src/app/workers/measure/report-client';

it('says that the result failed when its Web Worker throws', async () => {
  const faults: Fault[] = [];
  const client = new ReportClient([], { onReport: () => undefined, onFault: (fault) => faults.push(fault) });
  // The Web Worker trusts the page, so it throws for a state without its fields.
  const damaged: unknown = { items: [] };
  client.compute(damaged as MeasurementState);
  await vi.waitFor(() => expect(faults).toHaveLength(1), 10_000);
  expect(faults[0]).toMatchObject({ message: expect.stringMatching(/^Couldn’t compute the result/), retryable: true });
  client.close();
});
