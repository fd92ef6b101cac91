// `npm run icons`: draws the icons of the installed app from public/icon.svg.
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

const FOLDER = 'public';
/**
 * Size of the drawing in a maskable icon, as a share of the icon. Systems cut such icons to their own shape, so the background
 * fills the square and the drawing stays in the middle.
 */
const SCALE_IN_MASK = 0.8;

const svg = await readFile(`${FOLDER}/icon.svg`, 'utf8');
const background = /<rect[^>]*rx="7"[^>]*fill="([^"]+)"/.exec(svg)?.[1];
if (background === undefined) throw new Error('public/icon.svg has no background.');

const ICONS = [
  { file: 'icon-192.png', size: 192, masked: false },
  { file: 'icon-512.png', size: 512, masked: false },
  { file: 'icon-maskable-512.png', size: 512, masked: true },
  // This icon is for iOS, which rounds the corners itself.
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
