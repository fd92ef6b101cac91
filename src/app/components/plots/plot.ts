/** @file What plots are made of: marks, rows, points and tables. All lengths are in px. */

/** A part of a plot with a name and a tooltip. It can get the keyboard focus. */
export interface PlotMark {
  readonly key: string;
  /** Centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly about: About;
}

/** What a mark stands for. */
export interface About {
  readonly title: string;
  /** The values of the mark in words, such as its cost and its number of runs, one per line. */
  readonly lines: readonly string[];
  /** Address of a list of the runs that the mark counts. Absent: no filter selects exactly these runs. */
  readonly href?: string | undefined;
}

/** A value with an interval, which a plot draws as a dot with a whisker. */
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
  /** Based on few runs, so it is drawn with a dashed outline. */
  readonly isFew?: boolean;
}

/** A worker's two letters and colour. */
export interface RowMark {
  readonly mark: string;
  readonly colour: number;
}

/** Values side by side, one in each panel. */
export interface WhiskerRow {
  readonly key: string;
  readonly label: string;
  readonly mark?: RowMark | undefined;
  /** By panel. `null`: no value. */
  readonly cells: readonly (WhiskerCell | null)[];
}

export interface WhiskerCell extends Whisker, About {
  readonly isFew?: boolean;
}

/** A column of a plot with rows: its heading, its format and its scale. */
export interface Panel {
  readonly title: string;
  readonly words: (value: number) => string;
  /** Absent: from 0 to the largest value. */
  readonly domain?: readonly [low: number, high: number];
}

export interface HeatRow {
  readonly key: string;
  readonly label: string;
  readonly mark?: RowMark | undefined;
  /** By column. `null`: no value. */
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
  /** Interval of the value. `null`: it is exact. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Text after the bar. */
  readonly words: string;
  /** Text in the last column. */
  readonly note?: string;
  readonly mark?: RowMark | undefined;
  readonly glyph?: Glyph;
  readonly isMarked?: boolean;
}

/** A small drawing of a workflow: dots at places on a grid, and lines between two dots. */
export interface Glyph {
  readonly dots: readonly (readonly [column: number, row: number])[];
  readonly lines: readonly (readonly [from: number, to: number])[];
}

/** A value in a sequence of runs. */
export interface SequencePoint {
  /** 0-based place in the sequence. */
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
  /** Text below the column, shown if there is room. */
  readonly label: string;
}

/** A cell: text, or a number with its text. `null`: no value. */
export type TableCell = string | { readonly value: number; readonly text: string } | null;

/** The data of a plot, for the table on the page and for the exported CSV file. */
export interface PlotTable {
  readonly header: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly TableCell[])[];
}
