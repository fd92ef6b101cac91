/** @file The Web Worker that computes the result of a measurement, because the fit would block the page. */
import type { MeasurementState } from '../../../core/contract/measurement/measurement-state';
import { reportOf, type Report } from '../../../core/measurement/report/report';
import { GENERATED_TASKS } from '../../../core/measurement/session/generated-tasks';

self.addEventListener('message', ({ data }: MessageEvent<MeasurementState>) => {
  const report: Report = reportOf(data, GENERATED_TASKS.families);
  self.postMessage(report);
});
