/** @file Types for the data of plots: marks, rows, points and tables. All lengths are in px. */

/** A part of a plot that shows a tooltip on hover and on keyboard focus. */
export interface PlotMark {
  readonly key: string;
  /** Center of the mark. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly about: About;
}

/** The content of a mark's tooltip, and an optional link. */
export interface About {
  readonly title: string;
  /** Formatted values, one per line, such as the cost and the number of runs. */
  readonly lines: readonly string[];
  /** Link to a list of the runs behind the mark. Absent if no filter of the list selects exactly these runs. */
  readonly href?: string | undefined;
}

/** A value and its interval, drawn as a dot with a whisker. */
export interface Whisker {
  readonly value: number;
  /** `null`: no interval. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface ScorePoint extends About {
  readonly id: string;
  readonly label: string;
  /** Cost or number of calls. */
  readonly x: Whisker;
  /** From 0 to 1. */
  readonly y: Whisker;
  readonly isOnFront: boolean;
  /** Whether the point is based on few runs. Such a point has a dashed outline. */
  readonly isFew?: boolean;
}

/** A worker's mark: two letters and a color number. */
export interface RowMark {
  readonly mark: string;
  readonly colour: number;
}

/** A row of a `RowPlot`, with one value per panel. */
export interface WhiskerRow {
  readonly key: string;
  readonly label: string;
  readonly mark?: RowMark | undefined;
  /** One per panel. `null`: no value. */
  readonly cells: readonly (WhiskerCell | null)[];
}

export interface WhiskerCell extends Whisker, About {
  readonly isFew?: boolean;
}

/** A column of a `RowPlot`: its heading, number format and scale. */
export interface Panel {
  readonly title: string;
  readonly words: (value: number) => string;
  /** Bounds of the scale. Default: from 0 to the largest value, rounded up. */
  readonly domain?: readonly [low: number, high: number];
}

export interface HeatRow {
  readonly key: string;
  readonly label: string;
  readonly mark?: RowMark | undefined;
  /** One per column. `null`: no value. */
  readonly cells: readonly (HeatCell | null)[];
}

export interface HeatCell extends About {
  /** From 0 to 1. */
  readonly value: number;
  readonly n: number;
  readonly isFew: boolean;
}

export interface BarRow extends About {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** `null` if the value is exact. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Text after the bar. */
  readonly words: string;
  /** Text in the last column. */
  readonly note?: string;
  readonly mark?: RowMark | undefined;
  readonly glyph?: Glyph;
  readonly isMarked?: boolean;
}

/** A small drawing of a workflow: dots on a grid, and lines that connect dots by their indexes. */
export interface Glyph {
  readonly dots: readonly (readonly [column: number, row: number])[];
  readonly lines: readonly (readonly [from: number, to: number])[];
}

/** A value in a sequence of runs. */
export interface SequencePoint {
  /** 0-based index of the run in the sequence. */
  readonly run: number;
  readonly value: number;
}

export interface SequenceMean extends SequencePoint, About {
  readonly low: number;
  readonly high: number;
}

export interface Column extends About {
  readonly key: string;
  readonly value: number;
  /** Text below the column. If there are many columns, only some of them show it. */
  readonly label: string;
}

/** A table cell: a text, or a number with its formatted text. `null`: no value. */
export type TableCell = string | { readonly value: number; readonly text: string } | null;

/** The data of a plot, for the table on the page and for the exported CSV file. */
export interface PlotTable {
  readonly header: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly TableCell[])[];
}
