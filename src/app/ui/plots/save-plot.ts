/**
 * @file Converts a plot to SVG, PNG or CSV, for a file. The file contains the styles, because the page's style sheets don't apply
 * to it.
 */
import { csvLine } from '../../../core/analysis/exports/csv';
import { fault, FaultError } from '../../../core/contract';
import type { PlotTable } from './plot';

/** The style properties that the page's style sheets set on drawings. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
] as const;

/** Matches elements that only the page needs, such as invisible pointer targets. The file leaves them out. */
const PAGE_ONLY = '[data-page-only]';

/** A PNG is twice as large as the drawing on the page, to be sharp on screens with a high pixel density. */
const SCALE = 2;

export interface Drawing {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** A plot as the text of an SVG file, with the colors and the background of the page's current theme. */
export function drawingOf(svg: SVGSVGElement, title: string): Drawing {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new FaultError(fault('internal', 'The plot could not be copied.'));
  inlineStyles(svg, copy, colourReader());
  for (const part of copy.querySelectorAll(PAGE_ONLY)) part.remove();
  for (const part of copy.querySelectorAll('[class], [aria-hidden]')) {
    part.removeAttribute('class');
    part.removeAttribute('aria-hidden');
  }
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('role', 'img');
  copy.setAttribute('aria-label', title);
  for (const name of ['class', 'style']) copy.removeAttribute(name);
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(paper);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

/** @param copy a deep copy of `original`, with its elements in the same order */
function inlineStyles(original: Element, copy: Element, plain: (colour: string) => string): void {
  const styled = getComputedStyle(original);
  for (const name of STYLES) {
    const value = styled.getPropertyValue(name);
    if (value !== '') copy.setAttribute(name, plain(value).replaceAll('"', "'"));
  }
  for (const [index, child] of [...original.children].entries()) {
    const twin = copy.children[index];
    if (twin) inlineStyles(child, twin, plain);
  }
}

/** Returns a function that converts colors such as `oklab(…)` to `rgb(…)`, because few SVG programs support `oklab(…)`. */
function colourReader(): (value: string) => string {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map<string, string>();
  const read = (value: string) => {
    if (!context || !/^(?:color|oklab|oklch|lab|lch)\(/.test(value)) return value;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = value;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  };
  return (value) => {
    const found = known.get(value) ?? read(value);
    known.set(value, found);
    return found;
  };
}

/** The drawing as a PNG of twice its size. Rejects with a `FaultError` if the browser cannot draw it. */
export async function pngOf({ text, width, height }: Drawing): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width * SCALE, height * SCALE);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (png) return png;
  } catch (thrown) {
    throw new FaultError(fault('internal', COULD_NOT_DRAW, { detail: String(thrown) }));
  } finally {
    URL.revokeObjectURL(address);
  }
  throw new FaultError(fault('internal', COULD_NOT_DRAW));
}

const COULD_NOT_DRAW = 'The browser couldn’t draw the picture. Save it as SVG instead.';

/** The table of a plot as CSV, with unrounded numbers. */
export function plotAsCsv({ header, rows }: PlotTable): string {
  const lines = [header.map(({ name }) => name), ...rows];
  return lines
    .map((line) => csvLine(line.map((cell) => (cell === null || typeof cell === 'string' ? cell : cell.value))))
    .join('');
}
