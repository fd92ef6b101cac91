// `npm run picture`: saves screenshots of the built page after a run of the simulated workers with the default Conductor. One
// screenshot is docs/conduct.png. Browsers show the other two when they offer to install Podium.
import { chromium } from 'playwright';
import { preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

const PICTURES = [
  { path: 'docs/conduct.png', width: 1440, height: 900, fullPage: true },
  // public/manifest.webmanifest repeats the sizes of these two files.
  { path: 'public/screenshot-wide.png', width: 1280, height: 800, fullPage: false },
  { path: 'public/screenshot-narrow.png', width: 412, height: 915, fullPage: false },
];
/** Value of the automatic choice in the menu of Conductors. */
const DEFAULT_CONDUCTOR = '';

const server = await preview({
  logLevel: 'warn',
  preview: { host: '127.0.0.1', port: Number(process.env.PORT ?? 4173), strictPort: true },
});
const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
try {
  for (const { path, width, height, fullPage } of PICTURES) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    const conductor = await page.getByRole('combobox', { name: 'Conductor' }).inputValue();
    if (conductor !== DEFAULT_CONDUCTOR) throw new Error(`The page opens with the Conductor “${conductor}”.`);
    await page.getByRole('img', { name: /^Step 1, / }).waitFor();
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('button', { name: 'Right' }).waitFor();
    // Hides hover and focus styles.
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.activeElement?.blur());
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path, fullPage, animations: 'disabled' });
    await page.close();
    console.log(`Saved ${path}. Look at it before you commit it.`);
  }
} finally {
  await browser.close();
  await server.close();
}
