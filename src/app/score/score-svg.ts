/**
 * @file Draws a score as an SVG with the same notes (steps), curves and times as on the page. The SVG contains its colors and
 * needs no style sheet. `note-svg.ts` draws the notes.
 */
import { lineOf, ROW, type ScoreView, type Stave } from './drawing';
import { notesSvg } from './note-svg';
import { attributes, escapeText, fitText, place, type ScorePalette, type SvgScale } from './svg-parts';

export interface ScorePicture {
  readonly view: ScoreView;
  /** The question. */
  readonly title: string;
  /** Such as "4 steps · 15.0 s · $0.0012". */
  readonly facts: string;
  /** A word in a dashed frame, such as "simulated". `''`: no frame. */
  readonly tag: string;
}

export interface DrawnScore {
  /** The SVG. */
  readonly text: string;
  /** Both sizes are in CSS px. */
  readonly width: number;
  readonly height: number;
}

const WIDTH = 1200;
const PAD = 28;
const NAMES = 150;
const HEAD = 84;
const AXIS = 30;
const FONT = "'IBM Plex Sans', 'Plex Sans', system-ui, sans-serif";
/** Average width of a letter at a font size of 13 px, in px. */
const LETTER = 6.9;

export function scoreSvg({ view, title, facts, tag }: ScorePicture, palette: ScorePalette): DrawnScore {
  const scale: SvgScale = { left: PAD + NAMES, width: WIDTH - 2 * PAD - NAMES };
  const height = HEAD + view.height + (view.ticks.length > 0 || view.playhead ? AXIS : 0) + PAD;
  const lanes = [
    gridOf(view, palette, scale),
    cueLines(view, palette, scale),
    curvesOf(view, palette, scale),
    roundEndsOf(view, palette, scale),
    plansOf(view, palette, scale),
    cueDots(view, palette, scale),
    notesSvg(view, palette, scale),
    playheadOf(view, palette, scale),
  ].join('');
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${FONT}" font-size="13" role="img" aria-label="${escapeText(title)}"><title>${escapeText(title)}</title><rect width="100%" height="100%" fill="${palette.page}"/>${headOf(title, facts, tag, palette)}<g transform="translate(0 ${HEAD})">${namesOf(view.staves, palette)}${lanes}</g></svg>`;
  return { text, width: WIDTH, height };
}

function headOf(title: string, facts: string, tag: string, palette: ScorePalette): string {
  const room = WIDTH - 2 * PAD;
  const titled = `<text x="${PAD}" y="40" font-size="20" font-weight="600" fill="${palette.ink}">${fitText(title, room, 10.6)}</text>`;
  const factsText = `<text x="${PAD}" y="64" fill="${palette.ink3}">${fitText(facts, room - 110, LETTER)}</text>`;
  if (tag === '') return titled + factsText;
  const width = tag.length * 7 + 16;
  const x = WIDTH - PAD - width;
  const box = attributes({ x, y: 50, width, height: 20, rx: 10, fill: 'none', stroke: palette.lineStrong });
  return `${titled}${factsText}<rect ${box} stroke-dasharray="3 2"/><text x="${x + width / 2}" y="64" font-size="12" text-anchor="middle" fill="${palette.ink2}">${escapeText(tag)}</text>`;
}

function namesOf(staves: readonly Stave[], palette: ScorePalette): string {
  return staves
    .map((stave, row) => {
      const y = lineOf(row);
      if (stave.voice > 0)
        return `<path d="M${PAD + 10} ${y - 20}V${y - 4}q0 4 4 4h4" fill="none" stroke="${palette.lineStrong}" stroke-width="2"/>`;
      const colour = palette.workers[stave.worker?.colour ?? 0] ?? { fill: palette.ink, on: palette.page };
      const sign = stave.worker
        ? `<text x="${PAD + 11}" y="${y + 4}" font-size="11" font-weight="600" text-anchor="middle" fill="${colour.on}">${escapeText(stave.worker.mark)}</text>`
        : `<path d="M${PAD + 7} ${y + 4}l8 -8" stroke="${colour.on}" stroke-width="1.8" stroke-linecap="round"/><circle cx="${PAD + 7.6}" cy="${y + 3.4}" r="1.9" fill="${colour.on}"/>`;
      return `<rect x="${PAD}" y="${y - 10}" width="22" height="20" rx="4" fill="${colour.fill}"/>${sign}<text x="${PAD + 30}" y="${y + 4}" fill="${palette.ink}">${fitText(stave.name, NAMES - 42, LETTER)}</text>`;
    })
    .join('');
}

function gridOf(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  const ticks = view.ticks.map(({ left, label }) => {
    const x = place(left, scale);
    const anchor = left < 1 ? 'start' : left > 97 ? 'end' : 'middle';
    return `<path d="M${x} 0V${view.height}" stroke="${palette.line}"/><text x="${x}" y="${view.height + 18}" font-size="12" text-anchor="${anchor}" fill="${palette.ink3}">${escapeText(label)}</text>`;
  });
  const staves = view.staves.map(
    (_, row) =>
      `<path d="M${scale.left} ${lineOf(row)}h${scale.width}" stroke="${palette.lineStrong}" stroke-opacity="0.45"/>`,
  );
  return [...ticks, ...staves].join('');
}

function cueLines(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  return view.cues
    .map(({ left, row, waitsTo }) => {
      const x = place(left, scale);
      const drop = `<path d="M${x} ${lineOf(0)}V${lineOf(row)}" stroke="${palette.ink3}" stroke-dasharray="1 3"/>`;
      if (waitsTo === null) return drop;
      return `${drop}<path d="M${x} ${lineOf(row)}H${place(waitsTo, scale)}" stroke="${palette.ink3}" stroke-width="1.5" stroke-dasharray="4 3"/>`;
    })
    .join('');
}

function cueDots(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  return view.cues
    .map(({ left, row, waitsTo }) => {
      const x = place(left, scale);
      const dot = `<circle cx="${x}" cy="${lineOf(0)}" r="3.5" fill="${palette.page}" stroke="${palette.ink}" stroke-width="2"/>`;
      if (waitsTo === null) return dot;
      return `${dot}<circle cx="${x}" cy="${lineOf(row)}" r="2.75" fill="${palette.page}" stroke="${palette.ink3}" stroke-width="1.5"/>`;
    })
    .join('');
}

function curvesOf(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  return view.curves
    .map(({ path, colour, ghost }) => {
      const stroke = ghost ? palette.lineStrong : (palette.workers[colour]?.fill ?? palette.ink);
      const width = ghost ? 1.25 : view.dense ? 1 : 1.75;
      const dashes = ghost ? ' stroke-dasharray="3 3"' : '';
      return `<path d="${scaledPath(path, scale)}" fill="none" stroke="${stroke}" stroke-width="${width}"${dashes}/>`;
    })
    .join('');
}

/** Converts the x values of a path from percent to px. The path has the commands `M`, `C` and `H` only. */
function scaledPath(path: string, scale: SvgScale): string {
  return path.replace(/([MCH])([^MCH]*)/g, (_, command: string, numbers: string) => {
    const values = numbers
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    return command + values.map((value, index) => (index % 2 === 0 ? place(value, scale) : value)).join(' ');
  });
}

function roundEndsOf(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  return view.roundEnds
    .map(({ left }) => {
      const x = place(left, scale);
      const end = view.height - ROW + lineOf(0);
      return `<rect x="${x - 3}" y="32" width="6" height="${Math.max(0, end - 32)}" fill="${palette.page}"/><path d="M${x - 2.5} 32V${end}" stroke="${palette.ink2}"/><path d="M${x + 1.5} 32V${end}" stroke="${palette.ink2}" stroke-width="2.5"/>`;
    })
    .join('');
}

function plansOf(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  return view.plans
    .map(({ left, width, label, detail, state }) => {
      const x = place(left, scale);
      const long = Math.max(3, (width / 100) * scale.width);
      const fill = state === 'failed' ? palette.bad : state === 'stopped' ? palette.ink3 : palette.ink;
      return `<rect x="${x}" y="${lineOf(0) - 3}" width="${long}" height="6" rx="3" fill="${fill}"/><text x="${x}" y="18"><tspan font-weight="500" fill="${palette.ink}">${escapeText(label)}</tspan><tspan dx="5" font-size="12" fill="${palette.ink3}">${escapeText(detail)}</tspan></text>`;
    })
    .join('');
}

function playheadOf(view: ScoreView, palette: ScorePalette, scale: SvgScale): string {
  if (!view.playhead) return '';
  const x = place(view.playhead.left, scale);
  return `<path d="M${x} 0V${view.height}" stroke="${palette.accent}" stroke-width="1.5"/>`;
}
