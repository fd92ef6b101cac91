/** @file The user's actions that a row of the list of runs reports to its page. */
import type { RunSummary } from '../../../core/contract';

export interface RowEvents {
  /** @param isRange whether to choose all rows from the last chosen row to this row */
  readonly choose: (summary: RunSummary, row: number, on: boolean, isRange: boolean) => void;
  /** @param button the button beside which the user can add a comment */
  readonly grade: (summary: RunSummary, correct: boolean, button: HTMLElement) => void;
  /** Opens the popover in which the user can change the grade or comment on it. */
  readonly openGrade: (summary: RunSummary, button: HTMLElement) => void;
  readonly resume: (summary: RunSummary) => void;
  readonly star: (summary: RunSummary, on: boolean) => void;
  readonly openMenu: (summary: RunSummary, button: HTMLElement) => void;
}
