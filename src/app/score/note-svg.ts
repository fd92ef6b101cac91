/** @file Draws the notes (steps) of a score for its SVG file. On the page, `Note.svelte` draws the notes. */
import { lineOf, type Note, type NoteLook, type ScoreView } from './drawing';
import { escapeText, fitText, place, type ScorePalette, type SvgScale } from './svg-parts';

/** Average widths of a letter in px: in a note's label, and in its detail. */
const LABEL = 7.2;
const DETAIL = 6.3;

export function notesSvg(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  return view.notes.map((note, index) => noteSvg(note, index, palette, scale)).join('');
}

function noteSvg(note: Note, index: number, palette: ScorePalette, scale: SvgScale): string {
  const x = place(note.left, scale);
  const y = lineOf(note.row);
  const width = Math.max(20, (note.width / 100) * scale.width);
  const { fill, on } = palette.workers[note.colour] ?? { fill: palette.ink, on: palette.page };
  const bar = barSvg(note, { x, y: y - 6, width, id: `bar-${index}` }, fill, palette);
  const number = `<circle cx="${x + 10}" cy="${y}" r="12" fill="${palette.page}"/>${headSvg(note.look, x + 10, y, fill, palette)}<text x="${x + 10}" y="${y + 4}" font-size="12" font-weight="600" text-anchor="middle" fill="${numberInk(note.look, on, palette)}">${note.number}</text>`;
  return `<g><title>${escapeText(note.name)}</title>${bar}${number}${labelSvg(note, x, y, palette, scale)}</g>`;
}

function headSvg(look: NoteLook, cx: number, cy: number, fill: string, palette: ScorePalette): string {
  const circle = (r: number, paint: string) => `<circle cx="${cx}" cy="${cy}" r="${r}" ${paint}/>`;
  if (look === 'planned') return circle(8.75, `fill="${palette.page}" stroke="${fill}" stroke-width="2.5"`);
  if (look === 'ghost') return circle(9.25, `fill="${palette.page}" stroke="${palette.lineStrong}" stroke-width="1.5"`);
  return circle(10, `fill="${look === 'failed' ? palette.bad : fill}"`);
}

function numberInk(look: NoteLook, on: string, palette: ScorePalette): string {
  if (look === 'planned') return palette.ink;
  if (look === 'ghost') return palette.ink2;
  return look === 'failed' ? palette.page : on;
}

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly id: string;
}

function barSvg(note: Note, { x, y, width, id }: Bar, fill: string, palette: ScorePalette): string {
  const box = `x="${x}" y="${y}" width="${width}" height="12" rx="6"`;
  if (note.look === 'ghost')
    return `<rect ${box} fill="none" stroke="${palette.lineStrong}" stroke-width="1.5" stroke-dasharray="3 2"/>`;
  const clip = `<clipPath id="${id}"><rect ${box}/></clipPath>`;
  const inside = (drawn: string) => `${clip}<g clip-path="url(#${id})">${drawn}</g>`;
  if (note.look === 'failed')
    return `${inside(hatch(x, y, width, palette.bad))}<rect ${box} fill="none" stroke="${palette.bad}" stroke-width="1.5"/>`;
  const full = note.fullFrom === null ? '' : partSvg(x, y, width, note.fullFrom, 100 - note.fullFrom, fill);
  const failures = note.failures.map((failure) => {
    const from = x + (failure.left / 100) * width;
    const long = Math.max(5, (failure.width / 100) * width);
    return `<rect x="${from}" y="${y}" width="${long}" height="12" fill="${palette.page}"/>${hatch(from, y, long, palette.warn)}`;
  });
  const end =
    note.look === 'halted' ? `<path d="M${x + width - 1} ${y}v12" stroke="${palette.ink2}" stroke-width="2.5"/>` : '';
  return `${inside(`<rect ${box} fill="${palette.page}"/><rect ${box} fill="${fill}" fill-opacity="0.3"/>${full}${failures.join('')}`)}${end}`;
}

function partSvg(x: number, y: number, width: number, from: number, share: number, fill: string): string {
  return `<rect x="${x + (from / 100) * width}" y="${y}" width="${(share / 100) * width}" height="12" fill="${fill}"/>`;
}

function hatch(x: number, y: number, width: number, stroke: string): string {
  const lines = Array.from(
    { length: Math.ceil((width + 12) / 6) },
    (_, index) => `M${x - 12 + 6 * index} ${y + 12}l12 -12`,
  );
  return `<path d="${lines.join('')}" stroke="${stroke}" stroke-width="1.5"/>`;
}

/**
 * Draws the label to the right of the number, cut before the next note of the same line. If the last note of a line is far to
 * the right, its label ends at the right edge instead.
 */
function labelSvg(note: Note, x: number, y: number, palette: ScorePalette, scale: SvgScale): string {
  const isLast = note.left + note.room > 99.5;
  if (note.label === '' || (!isLast && note.room < 5)) return '';
  const isLate = isLast && note.left > 88;
  const room = isLate ? (note.left / 100) * scale.width : (note.room / 100) * scale.width - 24;
  const label = fitText(note.label, room, LABEL);
  const left = room - label.length * LABEL - 5;
  const detail = left > 3 * DETAIL ? fitText(note.detail, left, DETAIL) : '';
  const at = isLate ? `x="${scale.left + scale.width}" text-anchor="end"` : `x="${x + 24}"`;
  const ink = note.look === 'failed' ? palette.bad : palette.ink;
  return `<text ${at} y="${y - 14}" stroke="${palette.page}" stroke-width="3" paint-order="stroke"><tspan font-weight="500" fill="${ink}">${label}</tspan><tspan dx="5" font-size="12" fill="${palette.ink3}">${detail}</tspan></text>`;
}
