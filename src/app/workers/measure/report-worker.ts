/** @file The Web Worker that computes the result of a measurement, because the fit would block the page. */
import type { MeasurementState } from '../../../core/contract/measurement/measurement-state';
import type { FamilyFacts } from '../../../core/measurement/ability/observation';
import { reportOf, type Report } from '../../../core/measurement/report/report';
import { serveCalls } from '../../../platform/serve-calls';

/** What the Web Worker computes the result of. */
export interface ReportOrder {
  readonly state: MeasurementState;
  readonly families: readonly FamilyFacts[];
}

serveCalls<ReportOrder, Report>(self, ({ state, families }) => reportOf(state, families));
