/**
 * @file Draws the learning curves of several training runs as SVG. The first panel shows the
 * policy's lead over the heuristic (the built-in rules) on validation items. The second panel shows
 * the mean number of steps in a workflow. This number reveals whether the policy collapses to
 * workflows of one step. Such a collapse can happen while the reward rises.
 */
import type { CurvePoint, TrainingRecord } from './training-record';

const CHART = { width: 720, height: 300, top: 48, bottom: 40, gap: 64, left: 44, right: 12 } as const;
const COLOUR = { default: '#1f6f8b', paper: '#c98b2b' } as const;

interface Panel {
  readonly title: string;
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
  readonly tick: number;
  readonly label: (value: number) => string;
  readonly of: (point: CurvePoint, training: TrainingRecord) => number;
}

/** Returns the SVG. In each panel, each training run has one line, with a dot at the update whose weights were selected. */
export function curveDrawing(trainings: readonly TrainingRecord[]): string {
  const { width, height, left, right, gap } = CHART;
  const half = (width - left - right - gap) / 2;
  const leads = trainings.flatMap((training) => training.curve.map((point) => lead(point, training)));
  const panels: Panel[] = [
    {
      title: 'validation: lead over the heuristic in points',
      left,
      right: left + half,
      low: Math.floor(20 * Math.min(0, ...leads)) / 20,
      high: Math.ceil(20 * Math.max(0, ...leads) + 0.01) / 20,
      tick: 0.05,
      label: (value) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(Math.round(100 * value))}`,
      of: lead,
    },
    {
      title: 'steps in a workflow',
      left: left + half + gap,
      right: width - right,
      low: 0,
      high: 5,
      tick: 1,
      label: String,
      of: ({ calls }) => calls,
    },
  ];
  const last = Math.max(1, ...trainings.flatMap(({ curve }) => curve.map(({ update }) => update)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#333" role="img" aria-label="Lead over the heuristic and steps in a workflow, by update">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${left}" y="16"><tspan fill="${COLOUR.default}">default loss</tspan> · <tspan fill="${COLOUR.paper}">paper loss</tspan> · one line for each training seed, with a dot at the selected weights</text>
${panels.map((panel) => drawPanel(panel, trainings, last)).join('\n')}
</svg>
`;
}

function lead({ right }: CurvePoint, { heuristicOnValidation }: TrainingRecord): number {
  return right - heuristicOnValidation;
}

function drawPanel(panel: Panel, trainings: readonly TrainingRecord[], last: number): string {
  const { height, top, bottom } = CHART;
  const { left, right, low, high, tick } = panel;
  const x = (update: number) => (left + (update / last) * (right - left)).toFixed(1);
  const y = (value: number) => (height - bottom - ((value - low) / (high - low)) * (height - top - bottom)).toFixed(1);
  const ticks = Array.from({ length: Math.round((high - low) / tick) + 1 }, (_, index) => low + index * tick);
  const grid = ticks.map((value) => {
    const stroke = Math.abs(value) < 1e-9 ? '#777' : '#ddd';
    return `<line x1="${left}" x2="${right}" y1="${y(value)}" y2="${y(value)}" stroke="${stroke}"/><text x="${left - 6}" y="${y(value)}" dy="4" text-anchor="end">${panel.label(value)}</text>`;
  });
  const lines = trainings.map((training) => {
    const stroke = COLOUR[training.course.loss];
    const points = training.curve.map((point) => `${x(point.update)},${y(panel.of(point, training))}`).join(' ');
    const kept = training.curve.find(({ update }) => update === training.kept);
    const dot = kept
      ? `<circle cx="${x(kept.update)}" cy="${y(panel.of(kept, training))}" r="4" fill="${stroke}"/>`
      : '';
    return `<polyline points="${points}" fill="none" stroke="${stroke}" stroke-width="1.5"/>${dot}`;
  });
  return `<text x="${left}" y="${top - 12}">${panel.title}</text>
${[...grid, ...lines].join('\n')}
<text x="${left}" y="${height - 14}">0</text><text x="${right}" y="${height - 14}" text-anchor="end">${last} updates</text>`;
}
