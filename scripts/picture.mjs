// `npm run picture`: takes docs/conduct.png anew, the built page after a run of the simulated workers.
import { chromium } from 'playwright';
import { preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

const PICTURE = 'docs/conduct.png';

const server = await preview({
  logLevel: 'warn',
  preview: { host: '127.0.0.1', port: Number(process.env.PORT ?? 4173), strictPort: true },
});
const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  // Its plan has steps side by side, so it shows most of what a score can say.
  await page.getByRole('combobox', { name: 'Conductor' }).selectOption({ label: 'Built in, by rules' });
  await page.getByRole('img', { name: /^Step 5, Decide/ }).waitFor();
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('button', { name: 'Right' }).waitFor();
  // Nothing is pointed at or focused, and a page that is drawn whole needs no place to scroll to.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({ path: PICTURE, fullPage: true, animations: 'disabled' });
  console.log(`${PICTURE} is taken. Look at it before you keep it.`);
} finally {
  await browser.close();
  await server.close();
}
