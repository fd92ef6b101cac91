// `npm run icons`: renders the icons of the installed app from public/icon.svg.
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

const FOLDER = 'public';
/**
 * Size of the drawing as a share of a maskable icon. Operating systems crop such icons to a shape,
 * e.g. a circle. Therefore the background fills the whole square, and the drawing is smaller.
 */
const SCALE_IN_MASK = 0.8;

const svg = await readFile(`${FOLDER}/icon.svg`, 'utf8');
const background = /<rect[^>]*rx="7"[^>]*fill="([^"]+)"/.exec(svg)?.[1];
if (background === undefined) throw new Error('public/icon.svg has no background.');

const ICONS = [
  { file: 'icon-192.png', size: 192, masked: false },
  { file: 'icon-512.png', size: 512, masked: false },
  { file: 'icon-maskable-512.png', size: 512, masked: true },
  // iOS rounds the corners of this icon, so the background fills the whole square.
  { file: 'apple-touch-icon.png', size: 180, masked: true },
];

const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
try {
  for (const { file, size, masked } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const edge = masked ? size * SCALE_IN_MASK : size;
    await page.setContent(`<style>
      html, body { margin: 0; ${masked ? `background: ${background};` : 'background: transparent;'} }
      body { display: grid; place-items: center; height: 100vh; }
      svg { width: ${edge}px; height: ${edge}px; }
    </style>${svg}`);
    await page.screenshot({ path: `${FOLDER}/${file}`, omitBackground: true });
    await page.close();
    console.log(`Saved ${FOLDER}/${file}.`);
  }
} finally {
  await browser.close();
}
