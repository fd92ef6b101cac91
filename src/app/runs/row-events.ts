/** @file Callbacks for the user's actions on a row of the list of runs. */
import type { RunSummary } from '../../core/contract';

export interface RowEvents {
  /** @param isRange whether to change all rows from the last changed row to this row (Shift-click) */
  readonly choose: (summary: RunSummary, row: number, on: boolean, isRange: boolean) => void;
  /** @param button the clicked button. The popover for a comment opens beside it */
  readonly grade: (summary: RunSummary, correct: boolean, button: HTMLElement) => void;
  /** Opens the popover for changing the grade or adding a comment. */
  readonly openGrade: (summary: RunSummary, button: HTMLElement) => void;
  readonly resume: (summary: RunSummary) => void;
  readonly star: (summary: RunSummary, on: boolean) => void;
  readonly openMenu: (summary: RunSummary, button: HTMLElement) => void;
}
