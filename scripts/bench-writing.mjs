// `npm run bench -- writing`: measures the main thread of the built page while a local model writes
// a plan of 1,024 tokens. A simple script replaces the model's Web Worker, so only the page's own
// work is measured. For comparison, an empty page receives the same messages.
//   npm run bench -- writing       # 200 tokens per second
//   npm run bench -- writing 60    # 60 tokens per second
import { loadavg } from 'node:os';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

const PORT = 4317;
const TOKENS = 1024;
/** A subtask of the plan. Each word counts as one token. */
const STEP = 'Work through the problem step by step and check each number again. '.repeat(15).trim();
const STEPS = Array.from({ length: 5 }, () => STEP);
const LISTS = [
  `model_id = [0, 1, 2, 0, 1]`,
  `subtasks = ${JSON.stringify(STEPS).replaceAll('","', '", "')}`,
  `access_list = [[], [0], [1], [2], [3]]`,
].join('\n');

export async function benchWriting(given = '') {
  const rate = Number(given) || 200;
  await build({ logLevel: 'error' });
  const server = await preview({ logLevel: 'warn', preview: { host: '127.0.0.1', port: PORT, strictPort: true } });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  console.log(`\nChromium ${browser.version()}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(`A model writes a plan of ${TOKENS} tokens, ${rate} each second (aim: no task over 50 ms)`);
  try {
    for (const work of [control, inPage]) {
      const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });
      const body = standIn(rate);
      await context.route(/\/assets\/worker-(?!engine|reports)[^/]*\.js$/, (route) =>
        route.fulfill({ contentType: 'text/javascript', body }),
      );
      const page = await context.newPage();
      page.on('pageerror', (error) => console.error(error));
      await page.addInitScript(() => {
        globalThis.longTasks = [];
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
        }).observe({ type: 'longtask' });
      });
      await work(page);
      await context.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Measures an empty page that receives the messages of the same script. */
async function control(page) {
  const address = `http://127.0.0.1:${PORT}`;
  const html = '<!doctype html><title>Control</title><p>Control</p>';
  await page.route(`${address}/control`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${address}/control`);
  await page.evaluate(async () => {
    const worker = new Worker('/assets/worker-control.js', { type: 'module' });
    let text = '';
    globalThis.written = new Promise((done) => {
      worker.onmessage = ({ data }) => {
        if (data.type === 'text') text += data.text;
        if (data.type === 'finished') done(text.length);
      };
    });
    globalThis.begin = () => worker.postMessage({ type: 'generate', call: 0 });
  });
  await measure(page, 'an empty page that receives the same messages', async () => {
    await page.evaluate(() => globalThis.begin());
    await page.evaluate(() => globalThis.written);
  });
}

/** Measures the built page from the click on *Run* until the plan is complete. */
async function inPage(page) {
  await page.goto(`http://127.0.0.1:${PORT}/#/models`);
  await page.getByRole('button', { name: 'Add a model' }).click();
  const form = page.getByRole('form', { name: 'Add a model' });
  await form.getByText('ONNX on a hub').click();
  await form.getByRole('textbox', { name: 'Model id' }).fill('bench/stand-in');
  await form.getByRole('textbox', { name: 'Name' }).fill('Stand-in');
  await form.getByRole('button', { name: 'Add model' }).click();
  await page.getByRole('button', { name: 'Download Stand-in' }).click();
  await page.getByText('loaded on this CPU').waitFor();
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('How many primes are there below 100?');
  const run = page.getByRole('button', { name: /^Run/ });
  await run.waitFor();
  await page.waitForTimeout(2000);
  const writing = page.getByText(/^Stand-in is writing the plan: about [\d,]+ tokens/);
  await measure(page, 'Podium', async () => {
    await run.click();
    await writing.waitFor();
    await writing.waitFor({ state: 'hidden', timeout: 120_000 });
  });
  // Fails if the page could not parse the plan.
  await page.getByText('valid on the first try').waitFor();
}

/** Prints the number of main-thread tasks over 50 ms, the duration of the longest task, and the thread's load in percent. */
async function measure(page, name, work) {
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Performance.enable');
  const busy = async () => {
    const { metrics } = await inspector.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN;
  };
  await page.evaluate(() => void (globalThis.longTasks.length = 0));
  const before = { busy: await busy(), at: performance.now() };
  await work();
  const seconds = (performance.now() - before.at) / 1000;
  const share = (100 * ((await busy()) - before.busy)) / seconds;
  // The browser reports long tasks with a delay.
  await page.waitForTimeout(300);
  const tasks = await page.evaluate(() => globalThis.longTasks);
  const longest = tasks.length === 0 ? 'below 50 ms' : `${Math.max(...tasks).toFixed(0)} ms`;
  console.log(
    `  ${name}: ${seconds.toFixed(1)} s, ${tasks.length} tasks over 50 ms, longest ${longest}, main thread busy ${share.toFixed(0)} %`,
  );
}

/**
 * Returns the script that replaces the model's Web Worker. The script reports immediately that the
 * model is loaded, and sends the plan token by token.
 */
function standIn(rate) {
  const words = LISTS.match(/\s*\S+/g) ?? [];
  const thought = Array.from({ length: Math.max(0, TOKENS - words.length) }, () => 'Think. ');
  return `
    const tokens = ${JSON.stringify([...thought, '\n\n', ...words])};
    const write = (call) => {
      let written = 0;
      const timer = setInterval(() => {
        const text = tokens[written++];
        if (text !== undefined) return postMessage({ type: 'text', call, text });
        clearInterval(timer);
        const usage = { input: 1000, output: tokens.length };
        postMessage({ type: 'finished', call, usage, finishReason: 'stop', speed: null });
      }, ${1000 / rate});
    };
    self.onmessage = ({ data }) => {
      if (data.type === 'load') postMessage({ type: 'loaded', what: 'stand-in' });
      if (data.type === 'generate') write(data.call);
    };
  `;
}
