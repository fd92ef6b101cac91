/** @file The Web Worker that computes the result of a measurement, because the fit would block the page. */
import { reportOf, type Report } from '../../../core/measurement/report/report';
import type { ReportRequest } from './report-messages';

self.addEventListener('message', ({ data: { state, families } }: MessageEvent<ReportRequest>) => {
  const report: Report = reportOf(state, families);
  self.postMessage(report);
});
