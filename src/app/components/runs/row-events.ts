/** @file The user's actions on a row of the list of runs, reported to the page. */
import type { RunSummary } from '../../../core/contract';

export interface RowEvents {
  /** @param isRange whether to change all rows from the last changed row to this row */
  readonly choose: (summary: RunSummary, row: number, on: boolean, isRange: boolean) => void;
  /** @param button the button beside which the popover for a comment opens */
  readonly grade: (summary: RunSummary, correct: boolean, button: HTMLElement) => void;
  /** Opens the popover in which the user can change the grade or comment on it. */
  readonly openGrade: (summary: RunSummary, button: HTMLElement) => void;
  readonly resume: (summary: RunSummary) => void;
  readonly star: (summary: RunSummary, on: boolean) => void;
  readonly openMenu: (summary: RunSummary, button: HTMLElement) => void;
}
