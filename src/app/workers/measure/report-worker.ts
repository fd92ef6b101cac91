/** @file The Web Worker that computes the result of a measurement, because the fit would block the page. */
import { reportOf, type Report } from '../../../core/measurement/report/report';
import { serveCalls } from '../../../platform/serve-calls';
import type { ReportOrder } from './report-client';

serveCalls<ReportOrder, Report>(self, ({ state, families }) => reportOf(state, families));
