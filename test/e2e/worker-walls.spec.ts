/**
 * @file Tests that the page's CSP also applies to the Web Workers of training and of local models, even if the host sends no
 * headers. Inside a Web Worker that the page started, each test attempts what a hostile library might do.
 */
import type { Page, Worker } from '@playwright/test';
import { BROWSER_ARGS, findBrowser, SOFTWARE_WEBGPU_ARGS } from '../../scripts/browser.mjs';
import { startStaticHost, type StaticHost } from '../fixtures/static-host';
import { Trap } from './lookout';
import { expect, test as base } from './podium';

const executablePath = await findBrowser();

const test = base.extend<{ host: StaticHost; trap: Trap }>({
  host: async ({ browserName: _browser }, use) => {
    const host = await startStaticHost();
    await use(host);
    await host.close();
  },
  trap: async ({ browserName: _browser }, use) => {
    const trap = await Trap.set();
    await use(trap);
    trap.close();
  },
});

// WebLLM is offered only with a GPU.
test.use({ launchOptions: { executablePath, args: [...BROWSER_ARGS, ...SOFTWARE_WEBGPU_ARGS] } });

const open = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

async function addWebLlm(page: Page): Promise<void> {
  await open(page, 'Models');
  await page.getByRole('button', { name: 'Add a model' }).click();
  const form = page.getByRole('form', { name: 'Add a model' });
  await form.getByRole('textbox', { name: 'Weights' }).fill('https://models.example/tiny/');
  await form.getByRole('textbox', { name: 'Library' }).fill('https://models.example/tiny.wasm');
  await form.getByRole('textbox', { name: 'Name' }).fill('Tiny');
  await form.getByRole('button', { name: 'Add model' }).click();
  await page.getByRole('button', { name: 'Download Tiny' }).click();
}

const KINDS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  training: async (page) => {
    await open(page, 'Train');
    await page.getByRole('button', { name: 'Start training' }).click();
  },
  'transformers.js': async (page) => {
    await open(page, 'Models');
    await page.getByRole('button', { name: 'Download Qwen2.5 0.5B ONNX' }).click();
  },
  'sentence model': async (page) => {
    await open(page, 'Models');
    await page.getByRole('button', { name: 'Download and use MiniLM, English' }).click();
  },
  WebLLM: addWebLlm,
};

/** Runs in the Web Worker. @returns the result of each attempt: `done`, `refused`, or `under way` if it has not ended */
async function attempt(beacon: string): Promise<Record<string, string>> {
  // The CSP does not stop `eval` in the function that Playwright calls, so the attempts start in a later task.
  await new Promise((later) => setTimeout(later));
  const tried: Record<string, string> = {};
  const attempts: Record<string, () => unknown> = {
    'foreign import': () => import(`http://${beacon}/module.js`),
    'blob import': () => import(URL.createObjectURL(new Blob(['export {}'], { type: 'text/javascript' }))),
    'data import': () => import(`data:text/javascript,${'export {}'}`),
    eval: () => globalThis.eval('1'),
    Function: () => new Function('return 1')(),
    'string timer': async () => {
      const before = self.name;
      setTimeout('self.name = "attacked"');
      await new Promise((later) => setTimeout(later, 10));
      if (self.name === before) throw new Error('It never ran.');
    },
    WebSocket: () =>
      new Promise((opened, refused) => {
        const socket = new WebSocket(`ws://${beacon}/socket`);
        socket.onopen = opened;
        socket.onerror = () => refused(new Error('It never opened.'));
      }),
    'foreign Worker': () => new Worker(`http://${beacon}/worker.js`),
    'blob Worker': () => new Worker(URL.createObjectURL(new Blob(['']))),
  };
  for (const [name, act] of Object.entries(attempts)) {
    const end = Promise.resolve()
      .then(act)
      .then(
        () => 'done',
        () => 'refused',
      );
    // An allowed request never ends, because the server doesn't answer.
    tried[name] = await Promise.race([end, new Promise<string>((late) => setTimeout(late, 5_000, 'under way'))]);
  }
  return tried;
}

for (const [kind, begin] of Object.entries(KINDS)) {
  test(`without headers, the CSP still blocks foreign code, eval and sockets in the ${kind} Web Worker`, async ({
    page,
    host,
    trap,
  }) => {
    await page.addInitScript(() => {
      // Without messages, the Web Worker stays idle.
      Worker.prototype.postMessage = () => undefined;
    });
    await page.goto(host.url);
    await page.getByRole('main').waitFor();
    const started = page.waitForEvent('worker');
    await begin(page);
    const worker: Worker = await started;
    const tried = await worker.evaluate(attempt, new URL(trap.address).host);
    expect(Object.keys(tried)).toHaveLength(9);
    expect(Object.entries(tried).filter(([, end]) => end !== 'refused')).toEqual([]);
    expect(trap.caught).toEqual([]);
  });
}
