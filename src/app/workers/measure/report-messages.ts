/**
 * @file What the page sends to the Web Worker that computes the result of a measurement. The worker sends a `Report`. The page reads
 * it without a schema: the worker is a part of this build, and its inputs are validated when they are read from the storage.
 */
import type { MeasurementState } from '../../../core/contract/measurement/measurement-state';
import type { FamilyFacts } from '../../../core/measurement/ability/observation';

export interface ReportRequest {
  readonly state: MeasurementState;
  readonly families: readonly FamilyFacts[];
}
