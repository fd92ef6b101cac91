/** @file The text, the drawing and the data table of a plot. */
import type {
  BarRow,
  Column,
  HeatRow,
  Panel,
  PlotTable,
  ScorePoint,
  SequenceMean,
  SequencePoint,
  WhiskerRow,
} from '../ui/plots/plot';

export interface PlotSpec {
  /** A finding, if the data support one. Otherwise, the names of the plotted quantities. */
  readonly title: string;
  /** The units, the meaning of the intervals, and the number of runs, plans or steps. */
  readonly caption: string;
  readonly warning?: string;
  readonly drawing: PlotDrawing;
  readonly table: PlotTable;
}

export type PlotDrawing =
  | {
      readonly kind: 'points';
      readonly points: readonly ScorePoint[];
      readonly axis: string;
      readonly words: (value: number) => string;
    }
  | { readonly kind: 'rows'; readonly rows: readonly WhiskerRow[]; readonly panels: readonly Panel[] }
  | { readonly kind: 'heat'; readonly columns: readonly string[]; readonly rows: readonly HeatRow[] }
  | {
      readonly kind: 'bars';
      readonly rows: readonly BarRow[];
      readonly headings: readonly [label: string, bar: string, note?: string];
    }
  | {
      readonly kind: 'sequence';
      readonly points: readonly SequencePoint[];
      readonly means: readonly SequenceMean[];
      readonly runs: number;
      readonly ticks: readonly number[];
      readonly words: (value: number) => string;
      readonly name: string;
      readonly dates: readonly { readonly run: number; readonly text: string }[];
    }
  | { readonly kind: 'columns'; readonly columns: readonly Column[]; readonly words: (value: number) => string };
