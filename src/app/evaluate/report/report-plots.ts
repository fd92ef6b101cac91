/** @file Draws the plots of a report as SVG, without styles, because the file of the report allows no inline styles. */
import type { CostScorePoint } from '../evaluate-results';
import type { ShareRow } from '../plots/share-rows';
import { finePercent } from '../../ui/figures';
import { element, type Markup } from './markup';

const WIDTH = 560;
const HEIGHT = 300;
/** Space for the axes, in px. */
const LEFT = 48;
const BOTTOM = 36;
const TOP = 12;
const RIGHT = 150;
/** Largest size of a label, in px. */
const LABEL = { width: 130, height: 12 };

/** Scores by cost, with standard errors. A line joins the methods that no other method beats at the same or a lower cost. */
export function costPlot(points: readonly CostScorePoint[], axis: string, words: (cost: number) => string): Markup {
  const most = Math.max(...points.map(({ cost }) => cost), Number.MIN_VALUE);
  const x = (cost: number) => round(LEFT + (cost / most) * (WIDTH - LEFT - RIGHT));
  const y = (score: number) => round(TOP + (1 - Math.min(1, Math.max(0, score))) * (HEIGHT - TOP - BOTTOM));
  const labelY = spread(points.map(({ id, cost, score }) => ({ id, x: x(cost), y: y(score) + 4 })));
  const front = points.filter(({ isOnFront }) => isOnFront).toSorted((one, other) => one.cost - other.cost);
  return element(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `Score by ${axis}` },
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((score) => [
      element('path', { d: `M${LEFT} ${y(score)}H${WIDTH - RIGHT}`, stroke: 'var(--line)' }),
      text(LEFT - 8, y(score) + 4, finePercent(score).replace('.0', ''), 'end'),
    ]),
    text(LEFT, HEIGHT - 8, words(0), 'middle'),
    text(WIDTH - RIGHT, HEIGHT - 8, words(most), 'middle'),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, axis, 'middle'),
    element('path', {
      d: front.map(({ cost, score }, index) => `${index === 0 ? 'M' : 'L'}${x(cost)} ${y(score)}`).join(''),
      fill: 'none',
      stroke: 'var(--accent)',
    }),
    ...points.flatMap(({ id, label, cost, score, error, isOnFront }) => [
      error === null
        ? null
        : element('path', { d: `M${x(cost)} ${y(score - error)}V${y(score + error)}`, stroke: 'var(--ink-3)' }),
      element('circle', { cx: x(cost), cy: y(score), r: 4, fill: isOnFront ? 'var(--accent)' : 'var(--ink-3)' }),
      text(x(cost) + 8, labelY.get(id) ?? 0, label.length > 24 ? `${label.slice(0, 23)}…` : label, 'start'),
    ]),
  );
}

/** Moves labels down that would cover another. Returns their heights by id. */
function spread(
  labels: readonly { readonly id: string; readonly x: number; readonly y: number }[],
): Map<string, number> {
  const placed: { id: string; x: number; y: number }[] = [];
  for (const { id, x, y } of labels.toSorted((one, other) => one.y - other.y)) {
    const near = placed.filter((other) => Math.abs(other.x - x) < LABEL.width);
    placed.push({ id, x, y: Math.max(y, ...near.map((other) => other.y + LABEL.height)) });
  }
  return new Map(placed.map(({ id, y }) => [id, y]));
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): Markup {
  return element('text', { x: round(x), y: round(y), 'text-anchor': anchor }, content);
}

const BAR = { name: 160, width: 320, height: 18, row: 26 };

/** One bar for each row, divided by shares. */
export function shareBars(rows: readonly ShareRow[], label: string): Markup {
  return element(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${rows.length * BAR.row}`, role: 'img', 'aria-label': label },
    ...rows.flatMap((row, index) => {
      const top = index * BAR.row;
      let at = BAR.name;
      const name = row.label.length > 24 ? `${row.label.slice(0, 23)}…` : row.label;
      return [
        text(0, top + 14, name, 'start'),
        ...row.parts.map((part) => {
          const width = part.share * BAR.width;
          const start = at;
          at += width;
          return element(
            'g',
            {},
            element('title', {}, part.title),
            element('rect', {
              x: round(start),
              y: top,
              width: round(Math.max(0, width - 1)),
              height: BAR.height,
              fill: part.fill,
              ...(part.look === 'hatched' && { stroke: 'var(--line-strong)', 'stroke-dasharray': 3 }),
            }),
            7 * part.label.length + 10 < width
              ? element(
                  'text',
                  { x: round(start + width / 2), y: top + 13, 'text-anchor': 'middle', fill: part.ink },
                  part.label,
                )
              : null,
          );
        }),
        text(BAR.name + BAR.width + 8, top + 14, row.note, 'start'),
      ];
    }),
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
