import { afterEach, expect, test } from 'vitest';
import { drawingOf, pngOf } from '../../../../src/app/ui/plots/save-plot';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A plot of 60 by 40 px on a white page. It has a bar with a `color-mix` fill. A pointer target covers the whole plot. */
function plot(): SVGSVGElement {
  document.body.innerHTML = `
    <style>
      body { background: rgb(255, 255, 255); }
      .bar { fill: color-mix(in oklab, rgb(200, 0, 0) 100%, transparent); }
      .target { fill: rgb(0, 0, 255); }
    </style>
    <svg width="60" height="40" viewBox="0 0 60 40">
      <g aria-hidden="true"><rect class="bar" x="10" y="10" width="20" height="20" /></g>
      <g data-page-only><rect class="target" width="60" height="40" /></g>
    </svg>`;
  const svg = document.querySelector('svg');
  if (!svg) throw new Error('The page has no plot.');
  return svg;
}

async function pixelsOf(png: Blob) {
  const picture = await createImageBitmap(png);
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('The browser has no canvas.');
  context.drawImage(picture, 0, 0);
  return { width, height, at: (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data] };
}

afterEach(() => {
  document.body.innerHTML = '';
});

test('a plot’s PNG has twice its size, its colors and the page’s background, but no pointer target', async () => {
  const png = await pngOf(drawingOf(plot(), 'A bar'));
  expect(png.type).toBe('image/png');
  expect([...new Uint8Array(await png.slice(0, 8).arrayBuffer())]).toEqual(SIGNATURE);
  const { width, height, at } = await pixelsOf(png);
  expect([width, height]).toEqual([120, 80]);
  expect(at(40, 40)).toEqual([200, 0, 0, 255]);
  for (const [x, y] of [
    [2, 2],
    [100, 40],
    [117, 77],
  ] as const) {
    expect(at(x, y)).toEqual([255, 255, 255, 255]);
  }
});

test('a drawing that the browser can’t read is rejected with a message that mentions SVG', async () => {
  const broken = { text: '<svg', width: 10, height: 10 };
  await expect(pngOf(broken)).rejects.toMatchObject({ fault: { message: expect.stringContaining('SVG') as string } });
});
