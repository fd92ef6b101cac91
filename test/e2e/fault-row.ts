/** @file One row of the fault matrix, on its way from the test that saw it to the reporter that prints it. */
import type { TestInfo } from '@playwright/test';
import * as z from 'zod/mini';

const rowShape = z.object({
  fault: z.string(),
  /** The sentences on the page. */
  read: z.string(),
  kept: z.string(),
  /** What was called by itself for the step that met the fault, the first call included. */
  called: z.string(),
  /** What a person's click called again. */
  again: z.string(),
});

export type FaultRow = z.infer<typeof rowShape>;

const ANNOTATION = 'fault-matrix';

/** Puts a row on its test's record. */
export function recordRow(info: Pick<TestInfo, 'annotations'>, row: FaultRow): void {
  info.annotations.push({ type: ANNOTATION, description: JSON.stringify(row) });
}

/** The rows on a test's record. */
export function rowsOf(annotations: TestInfo['annotations']): FaultRow[] {
  return annotations.flatMap(({ type, description }) =>
    type === ANNOTATION && description !== undefined ? [rowShape.parse(JSON.parse(description))] : [],
  );
}
