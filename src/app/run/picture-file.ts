/** @file Saves a drawing as an SVG or PNG file. */
import { fault, FaultError } from '../../core/contract';
import { chooseTarget, dateInName, type ChooseTarget } from '../state/save-file';

export type PictureFormat = 'svg' | 'png';

interface Drawing {
  readonly svg: string;
  /** Width and height in CSS px. */
  readonly width: number;
  readonly height: number;
}

/** PNG pixels per CSS px. */
const DENSITY = 2;

/**
 * Asks where to save, and writes the drawing. Rejects with a `FaultError` if the browser can't make a PNG.
 * @returns `false` if the user cancelled
 */
export async function savePicture(
  drawing: Drawing,
  format: PictureFormat,
  choose: ChooseTarget = chooseTarget,
): Promise<boolean> {
  const picture = format === 'svg' ? new Blob([drawing.svg], { type: 'image/svg+xml' }) : await pngOf(drawing);
  const target = await choose(`podium-score-${dateInName(Date.now())}.${format}`);
  if (!target) return false;
  await target.write(picture.stream(), new AbortController().signal);
  return true;
}

/** Draws the SVG on a canvas. Uses a data URL, which doesn't taint the canvas. */
async function pngOf({ svg, width, height }: Drawing): Promise<Blob> {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode().catch(() => {
    throw notDrawn();
  });
  const canvas = document.createElement('canvas');
  canvas.width = width * DENSITY;
  canvas.height = height * DENSITY;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!png) throw notDrawn();
  return png;
}

function notDrawn(): FaultError {
  return new FaultError(fault('internal', 'This browser couldn’t draw the picture. Save it as SVG instead.'));
}
