/** @file What the page shows for one plot: its words, its drawing and its data table. */
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
} from '../plots/plot';

export interface PlotSpec {
  /** States a finding if the data support one. Otherwise names the quantities. */
  readonly title: string;
  /** Explains the units and the intervals, and gives the number of runs, plans or steps. */
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
